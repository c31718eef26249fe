(* classics/claim-4.12.corrected: Gradient flow keeps it, so that flow and descent end in different
   minima

   In the notation of LaTeX: u_{0}, v_{0} \in \mathbb{R},\; \begin{aligned}\dot{u} &= - v \left(u v -
   1\right) \\ \dot{v} &= - u \left(u v - 1\right)\end{aligned},\; u(0) = u_{0},\; v(0) = v_{0}
   \;\Longrightarrow\; \Box\left(u^{2} - v^{2} = u_{0}^{2} - v_{0}^{2}\right)

   The theorem has the domains of the variables and what is given as hypotheses. Division, square root
   and logarithm have a value everywhere in Coq, so it concludes first that everything in the
   conclusion is defined.

   What moves is a sequence, or a function of the time, for each symbol of the state; every one that
   begins at the start and moves by the rule is meant, until an end where there is one, and the rule
   has a value at each moment.

   Compile with coqc of Coq 8.16 or newer; `Print Assumptions goal.` lists the axioms of the real
   numbers alone. *)

Require Import Reals Lra Psatz.
Require Import Reals Lra Psatz Classical Nsatz Ranalysis5.
Open Scope R_scope.

Lemma ls_even_positive : forall v, v <> 0 -> 0 < v ^ 2.
Proof. intros v H; rewrite <- Rsqr_pow2; apply Rsqr_pos_lt; exact H. Qed.

Ltac ls_positive :=
  match goal with
  | |- _ => assumption
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < / _ => apply Rinv_0_lt_compat; ls_positive
  | |- 0 < _ * _ => solve [apply Rmult_lt_0_compat; ls_positive]
  | |- 0 < ?v ^ 2 => solve [apply ls_even_positive; ls_nonzero]
  | |- 0 < _ ^ _ => solve [apply pow_lt; ls_positive]
  | |- 0 < sqrt _ => solve [apply sqrt_lt_R0; ls_positive]
  | |- 0 < _ + _ => solve [apply Rplus_lt_le_0_compat; [ls_positive | ls_not_negative]]
  | |- 0 < _ + _ => solve [apply Rplus_le_lt_0_compat; [ls_not_negative | ls_positive]]
  | |- 0 < _ => solve [lra | nra]
  end
with ls_not_negative :=
  match goal with
  | |- _ => assumption
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= _ * _ => solve [apply Rmult_le_pos; ls_not_negative]
  | |- 0 <= _ ^ _ => solve [apply pow_le; ls_not_negative]
  | |- 0 <= _ + _ => solve [apply Rplus_le_le_0_compat; ls_not_negative]
  | |- 0 <= _ => solve [apply Rlt_le; ls_positive | lra | nra]
  end
with ls_nonzero :=
  match goal with
  | |- _ => assumption
  | |- _ * _ <> 0 => solve [apply Rmult_integral_contrapositive_currified; ls_nonzero]
  | |- / _ <> 0 => solve [apply Rinv_neq_0_compat; ls_nonzero]
  | |- _ ^ _ <> 0 => solve [apply pow_nonzero; ls_nonzero]
  | |- _ <> 0 => solve [apply Rgt_not_eq; unfold Rgt; ls_positive | lra | nra]
  end.

Ltac ls_value :=
  intros;
  solve
    [ assumption
    | ls_nonzero
    | (apply Rle_ge; ls_not_negative)
    | (apply Rlt_gt; ls_positive)
    | lra
    | nra
    | (match goal with |- ?t <> 0 => (field_simplify t; [ls_nonzero | ..]; repeat split; ls_nonzero) end) ].

Ltac ls_field := solve [ring | field; repeat split; ls_nonzero | field; repeat split; solve [ls_nonzero | lra | nra]].

Ltac ls_open := repeat match goal with H : _ /\ _ |- _ => destruct H end.

Lemma ls_equal_gaps : forall a b c d : R, d - c = b - a -> a < b -> c < d.
Proof. intros; lra. Qed.

Lemma ls_equal_weak_gaps : forall a b c d : R, d - c = b - a -> a <= b -> c <= d.
Proof. intros; lra. Qed.

Lemma ls_equal_equations : forall a b c d : R, d - c = b - a -> a = b -> c = d.
Proof. intros; lra. Qed.

Ltac ls_upright :=
  repeat match goal with
  | H : _ > _ |- _ => apply Rgt_lt in H
  | H : _ >= _ |- _ => apply Rge_le in H
  | |- _ > _ => apply Rlt_gt
  | |- _ >= _ => apply Rle_ge
  end.

Ltac ls_same :=
  solve
    [ assumption
    | lra
    | ls_upright;
      match goal with
      | K : ?a < ?b |- ?c < ?d => solve [apply (ls_equal_gaps a b c d); [ls_field | exact K]]
      | K : ?a <= ?b |- ?c <= ?d => solve [apply (ls_equal_weak_gaps a b c d); [ls_field | exact K]]
      | K : ?a = ?b |- ?c = ?d => solve [apply (ls_equal_equations a b c d); [ls_field | exact K]]
      end
    | tauto ].

Ltac ls_use T :=
  let K := fresh "K" in
  pose proof T as K;
  repeat match type of K with
  | ?P -> _ => let H := fresh "H" in assert (H : P) by ls_same; specialize (K H); clear H
  end.

Ltac ls_shown := ls_open; repeat split; solve [ls_same | ls_value].

Ltac ls_put E := try rewrite E in * |-; try rewrite E.

Lemma ls_rate_is : forall f s a b, derivable_pt_lim f s a -> a = b -> derivable_pt_lim f s b.
Proof. intros f s a b H E; rewrite <- E; exact H. Qed.

Lemma ls_rate_plus : forall f g s a b, derivable_pt_lim f s a -> derivable_pt_lim g s b ->
  derivable_pt_lim (fun s => f s + g s) s (a + b).
Proof. intros; apply (derivable_pt_lim_plus f g); assumption. Qed.

Lemma ls_rate_minus : forall f g s a b, derivable_pt_lim f s a -> derivable_pt_lim g s b ->
  derivable_pt_lim (fun s => f s - g s) s (a - b).
Proof. intros; apply (derivable_pt_lim_minus f g); assumption. Qed.

Lemma ls_rate_opp : forall f s a, derivable_pt_lim f s a -> derivable_pt_lim (fun s => - f s) s (- a).
Proof. intros; apply (derivable_pt_lim_opp f); assumption. Qed.

Lemma ls_rate_times : forall f g s a b, derivable_pt_lim f s a -> derivable_pt_lim g s b ->
  derivable_pt_lim (fun s => f s * g s) s (a * g s + f s * b).
Proof. intros; apply (derivable_pt_lim_mult f g); assumption. Qed.

Lemma ls_rate_power : forall f s a n, derivable_pt_lim f s a ->
  derivable_pt_lim (fun s => f s ^ n) s (INR n * f s ^ pred n * a).
Proof. intros f s a n H; apply (derivable_pt_lim_comp f (fun x => x ^ n)); [exact H | apply derivable_pt_lim_pow]. Qed.

Lemma ls_rate_exp : forall f s a, derivable_pt_lim f s a -> derivable_pt_lim (fun s => exp (f s)) s (exp (f s) * a).
Proof. intros; apply (derivable_pt_lim_comp f exp); [assumption | apply derivable_pt_lim_exp]. Qed.

Lemma ls_rate_ln : forall f s a, 0 < f s -> derivable_pt_lim f s a -> derivable_pt_lim (fun s => ln (f s)) s (/ f s * a).
Proof. intros; apply (derivable_pt_lim_comp f ln); [assumption | apply derivable_pt_lim_ln; assumption]. Qed.

Lemma ls_rate_inv : forall f s a, f s <> 0 -> derivable_pt_lim f s a ->
  derivable_pt_lim (fun s => / f s) s (- (/ f s * / f s) * a).
Proof.
  intros f s a N H eps P.
  destruct (derivable_pt_lim_div (fun _ => 1) f s 0 a (derivable_pt_lim_const 1 s) H N eps P) as [d D].
  exists d; intros h A B; specialize (D h A B); unfold div_fct in D.
  replace (- (/ f s * / f s) * a) with ((0 * f s - a * 1) / Rsqr (f s)) by (unfold Rsqr; field; exact N).
  replace (/ f (s + h) - / f s) with (1 / f (s + h) - 1 / f s) by (unfold Rdiv; ring); exact D.
Qed.

Ltac ls_derivative :=
  match goal with
  | |- derivable_pt_lim (fun _ => ?c) _ _ => apply derivable_pt_lim_const
  | |- derivable_pt_lim (fun s => s) _ _ => apply derivable_pt_lim_id
  | H : derivable_pt_lim ?x ?t _ |- derivable_pt_lim (fun s => ?x s) ?t _ => exact H
  | |- derivable_pt_lim (fun s => @?f s + @?g s) _ _ => eapply (ls_rate_plus f g); ls_derivative
  | |- derivable_pt_lim (fun s => @?f s - @?g s) _ _ => eapply (ls_rate_minus f g); ls_derivative
  | |- derivable_pt_lim (fun s => - @?f s) _ _ => eapply (ls_rate_opp f); ls_derivative
  | |- derivable_pt_lim (fun s => @?f s * @?g s) _ _ => eapply (ls_rate_times f g); ls_derivative
  | |- derivable_pt_lim (fun s => @?f s / @?g s) _ _ => eapply (ls_rate_times f (fun s => / g s)); ls_derivative
  | |- derivable_pt_lim (fun s => @?f s ^ ?n) _ _ => eapply (ls_rate_power f); ls_derivative
  | |- derivable_pt_lim (fun s => exp (@?f s)) _ _ => eapply (ls_rate_exp f); ls_derivative
  | |- derivable_pt_lim (fun s => ln (@?f s)) _ _ => eapply (ls_rate_ln f); [cbv beta; ls_value | ls_derivative]
  | |- derivable_pt_lim (fun s => / @?f s) _ _ => eapply (ls_rate_inv f); [cbv beta; ls_value | ls_derivative]
  end.

Lemma ls_not_falling : forall q r a b, a <= b -> (forall s, a <= s -> s <= b -> derivable_pt_lim q s (r s)) ->
  (forall s, a <= s -> s <= b -> 0 <= r s) -> q a <= q b.
Proof.
  intros q r a b L D P; destruct (Rle_lt_or_eq_dec a b L) as [S | E]; [| rewrite E; lra].
  destruct (MVT_cor2 q r a b S) as [c [C [A B]]]; [intros c [A B]; apply D; assumption |].
  pose proof (P c (Rlt_le _ _ A) (Rlt_le _ _ B)); nra.
Qed.

Lemma ls_bounded : forall k t, 0 <= t -> (forall s, 0 <= s -> s <= t -> continuity_pt k s) ->
  exists M, forall s, 0 <= s -> s <= t -> - M <= k s <= M.
Proof.
  intros k t T C.
  destruct (continuity_ab_maj k 0 t T) as [u [U _]]; [intros c [A B]; apply C; assumption |].
  destruct (continuity_ab_min k 0 t T) as [l [L _]]; [intros c [A B]; apply C; assumption |].
  exists (Rmax (k u) (- k l)); intros s A B; pose proof (U s (conj A B)); pose proof (L s (conj A B)).
  pose proof (Rmax_l (k u) (- k l)); pose proof (Rmax_r (k u) (- k l)); lra.
Qed.

Lemma ls_squared_gap : forall g k M t, 0 <= t -> (forall s, 0 <= s -> s <= t -> derivable_pt_lim g s (k s * g s)) ->
  (forall s, 0 <= s -> s <= t -> - M <= k s <= M) ->
  g 0 ^ 2 <= g t ^ 2 * exp (2 * M * t) /\ g t ^ 2 * exp (- (2 * M) * t) <= g 0 ^ 2.
Proof.
  intros g k M t T D B.
  assert (H : forall N s, 0 <= s -> s <= t ->
    derivable_pt_lim (fun s => g s ^ 2 * exp (N * s)) s ((2 * k s + N) * (g s ^ 2 * exp (N * s)))).
  { intros N s A L; pose proof (D s A L); eapply ls_rate_is; [ls_derivative | simpl; ring]. }
  split.
  - pose proof (ls_not_falling _ _ 0 t T (H (2 * M))) as P; cbv beta in P.
    rewrite Rmult_0_r, exp_0 in P; rewrite Rmult_1_r in P; apply P; intros s A L; pose proof (B s A L).
    apply Rmult_le_pos; [lra | apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, exp_pos]].
  - assert (Q : forall s, 0 <= s -> s <= t -> derivable_pt_lim (fun s => - (g s ^ 2 * exp (- (2 * M) * s))) s
      (- ((2 * k s + - (2 * M)) * (g s ^ 2 * exp (- (2 * M) * s))))).
    { intros s A L; apply (ls_rate_opp (fun s => g s ^ 2 * exp (- (2 * M) * s))); apply (H (- (2 * M)) s A L). }
    pose proof (ls_not_falling _ _ 0 t T Q) as P; cbv beta in P.
    rewrite Rmult_0_r, exp_0, Rmult_1_r in P.
    assert (O : - g 0 ^ 2 <= - (g t ^ 2 * exp (- (2 * M) * t))); [| lra].
    apply P; intros s A L; pose proof (B s A L).
    assert (0 <= g s ^ 2 * exp (- (2 * M) * s)) by (apply Rmult_le_pos; [apply pow2_ge_0 | apply Rlt_le, exp_pos]).
    nra.
Qed.

Lemma ls_keeps_zero : forall g k span, (forall s, 0 <= s -> s < span -> derivable_pt_lim g s (k s * g s)) ->
  (forall s, 0 <= s -> s < span -> continuity_pt k s) -> g 0 = 0 -> forall t, 0 <= t -> t < span -> g t = 0.
Proof.
  intros g k span D C Z t T L.
  destruct (ls_bounded k t T) as [M B]; [intros s A E; apply C; lra |].
  destruct (ls_squared_gap g k M t T) as [_ P]; [intros s A E; apply D; lra | exact B |].
  rewrite Z in P; pose proof (exp_pos (- (2 * M) * t)); pose proof (pow2_ge_0 (g t)).
  assert (Q : g t ^ 2 = 0) by nra; simpl in Q; nra.
Qed.

Lemma ls_rate_continuous : forall f s a, derivable_pt_lim f s a -> continuity_pt f s.
Proof. intros f s a H; apply derivable_continuous_pt; exists a; exact H. Qed.

Ltac ls_at_moment s A B :=
  repeat match goal with I : forall now : R, 0 <= now -> now < _ -> _ |- _ => specialize (I s A B) end; ls_open.

Ltac ls_barrier T :=
  refine (T _ _ _);
  [ let s := fresh "s" in let A := fresh "A" in let B := fresh "B" in intros s A B;
    ls_at_moment s A B; eapply ls_rate_is; [ls_derivative | cbv beta; cbn [pred INR]; ls_field]
  | let s := fresh "s" in let A := fresh "A" in let B := fresh "B" in intros s A B;
    ls_at_moment s A B; eapply ls_rate_continuous; ls_derivative
  | cbv beta; assumption ].

Ltac ls_at_first :=
  repeat (rewrite Rmult_0_r || rewrite Rmult_0_l || rewrite Ropp_0 || rewrite exp_0 || rewrite Rplus_0_r).

Open Scope R_scope.
Theorem goal : forall (u_0_0 v_0_1 span : R) (u_f0 v_f1 : R -> R), (u_f0 0 = u_0_0) -> (v_f1 0 = v_0_1) -> (forall now : R, 0 <= now -> now < span -> (derivable_pt_lim u_f0 now (((- 1) * (v_f1 now) * ((- 1) + ((u_f0 now) * (v_f1 now)))))) /\ (derivable_pt_lim v_f1 now (((- 1) * (u_f0 now) * ((- 1) + ((u_f0 now) * (v_f1 now))))))) -> (forall now : R, 0 <= now -> now < span -> ((((u_f0 now) ^ 2) + ((- 1) * ((v_f1 now) ^ 2))) = ((u_0_0 ^ 2) + ((- 1) * (v_0_1 ^ 2))))).
Proof.
assert (L0 : forall (u_0_0 v_0_1 u_2 v_3 : R), (((u_2 ^ 2) + ((- 1) * (v_3 ^ 2))) = ((u_0_0 ^ 2) + ((- 1) * (v_0_1 ^ 2)))) -> (((u_2 ^ 2) + ((- 1) * (v_3 ^ 2))) = ((u_0_0 ^ 2) + ((- 1) * (v_0_1 ^ 2))))).
{
intros; repeat split; first [lra | (field; repeat split; (lra || nra)) | nra].
}
intros u_0_0 v_0_1 span u_f0 v_f1 B0 B1 M.
assert (D0 : (((u_f0 0) ^ 2) + (v_0_1 ^ 2) + ((- 1) * (u_0_0 ^ 2)) + ((- 1) * ((v_f1 0) ^ 2))) = 0).
{
ls_put B0.
ls_put B1.
ls_at_first.
ls_shown.
}
assert (I0 : forall now : R, 0 <= now -> now < span -> (((u_f0 now) ^ 2) + (v_0_1 ^ 2) + ((- 1) * (u_0_0 ^ 2)) + ((- 1) * ((v_f1 now) ^ 2))) = 0).
{
ls_barrier (ls_keeps_zero (fun moment : R => (((u_f0 moment) ^ 2) + (v_0_1 ^ 2) + ((- 1) * (u_0_0 ^ 2)) + ((- 1) * ((v_f1 moment) ^ 2)))) (fun moment : R => 0) span).
}
intros now P Q.
ls_use (I0 now P Q).
try ls_use (L0 u_0_0 v_0_1 (u_f0 now) (v_f1 now)).
ls_shown.
Qed.
