(* Lemmas and tactics that the proofs written by Lemmascope are made of. No axioms, no notations: what a theorem says
   does not depend on this file, only how it is proved. *)
Require Import Reals Lra Psatz Classical Nsatz.
Open Scope R_scope.

(* Products of conditions, and their sums. *)

Lemma ls_add : forall a b, 0 < a -> 0 <= b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma ls_even_positive : forall v, v <> 0 -> 0 < v ^ 2.
Proof. intros v H; rewrite <- Rsqr_pow2; apply Rsqr_pos_lt; exact H. Qed.

Lemma ls_square_of_one : 0 < 1 ^ 2.
Proof. lra. Qed.

(* Relations between quotients: the difference times the square of a common denominator is a polynomial. *)

Lemma ls_square_nonzero : forall d, d <> 0 -> 0 < d * d.
Proof. intros d H; replace (d * d) with (d ^ 2) by ring; apply ls_even_positive; exact H. Qed.

Lemma ls_sign_of_quotient : forall x d v, d <> 0 -> x * (d * d) = v ->
  (x < 0 /\ v < 0) \/ (x = 0 /\ v = 0) \/ (0 < x /\ 0 < v).
Proof.
  intros x d v D E; pose proof (ls_square_nonzero d D).
  destruct (Rtotal_order x 0) as [L | [L | L]]; [left | right; left | right; right]; split; try lra; nra.
Qed.

Lemma ls_zero_of_quotient : forall x d v, d <> 0 -> x * d = v -> (x = 0 /\ v = 0) \/ (x <> 0 /\ v <> 0).
Proof.
  intros x d v D E; destruct (Req_dec x 0) as [Z | Z]; [left | right]; split; try exact Z.
  - rewrite <- E, Z; ring.
  - rewrite <- E; apply Rmult_integral_contrapositive_currified; assumption.
Qed.

(* What is known of roots, kinks, exponentials, logarithms and circular functions. *)

Lemma ls_root_fact : forall u, u < 0 \/ (0 <= u /\ 0 <= sqrt u /\ sqrt u ^ 2 = u).
Proof.
  intro u; destruct (Rlt_or_le u 0); [left; assumption | right].
  repeat split; [assumption | apply sqrt_pos | rewrite pow2_sqrt; [reflexivity | assumption]].
Qed.

Lemma ls_abs_fact : forall u, (0 <= u /\ Rabs u = u) \/ (u < 0 /\ Rabs u = - u).
Proof. intro u; unfold Rabs; destruct Rcase_abs; [right | left]; split; lra. Qed.

Lemma ls_max_fact : forall a b, (a <= b /\ Rmax a b = b) \/ (b < a /\ Rmax a b = a).
Proof. intros a b; unfold Rmax; destruct Rle_dec; [left | right]; split; lra. Qed.

Lemma ls_min_fact : forall a b, (a <= b /\ Rmin a b = a) \/ (b < a /\ Rmin a b = b).
Proof. intros a b; unfold Rmin; destruct Rle_dec; [left | right]; split; lra. Qed.

Lemma ls_exp_fact : forall u, 0 < exp u /\ ((u = 0 /\ exp u = 1) \/ (1 + u < exp u /\ exp u * (1 - u) < 1)).
Proof.
  intro u; pose proof (exp_pos u) as P; split; [exact P |].
  destruct (Req_dec u 0) as [Z | Z]; [left; split; [exact Z | rewrite Z; apply exp_0] | right].
  split; [apply exp_ineq1; exact Z |].
  assert (N : 1 + - u < exp (- u)) by (apply exp_ineq1; lra).
  assert (I : exp (- u) * exp u = 1) by (rewrite <- exp_plus; replace (- u + u) with 0 by ring; apply exp_0).
  nra.
Qed.

Lemma ls_ln_fact : forall u, u <= 0 \/ (u = 1 /\ ln u = 0) \/ (0 < u /\ ln u < u - 1 /\ 0 < u * ln u - u + 1).
Proof.
  intro u; destruct (Rle_or_lt u 0) as [L | L]; [left; exact L | right].
  destruct (Req_dec u 1) as [Z | Z]; [left; split; [exact Z | rewrite Z; apply ln_1] | right].
  assert (N : ln u <> 0) by (intro H; apply Z; rewrite <- (exp_ln u L), H; apply exp_0).
  destruct (ls_exp_fact (ln u)) as [_ [[H _] | [H K]]]; [contradiction |].
  rewrite exp_ln in H, K by exact L; repeat split; lra.
Qed.

Lemma ls_circle_fact : forall u, sin u ^ 2 + cos u ^ 2 = 1.
Proof. intro u; pose proof (sin2_cos2 u) as H; unfold Rsqr in H; nra. Qed.

Lemma ls_exp_times : forall n u, exp (INR n * u) = exp u ^ n.
Proof.
  induction n as [| n I]; intro u; [simpl; rewrite Rmult_0_l; apply exp_0 |].
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, exp_plus, I; simpl; ring.
Qed.

(* Conjunctions whose first part may be used for the second. *)

Lemma ls_and : forall A B : Prop, A -> (A -> B) -> A /\ B.
Proof. tauto. Qed.

(* Positive, not negative and nonzero terms, by their structure. *)

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

(* A condition for a term to have a value. *)
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

(* The same for a quotient, by its denominator and its numerator. *)
Lemma ls_quotient_nonzero : forall x d n, x * d = n -> n <> 0 -> x <> 0.
Proof. intros x d n E N Z; apply N; rewrite <- E, Z; ring. Qed.

Lemma ls_quotient_positive : forall x d n, x * d = n -> 0 < d -> 0 < n -> 0 < x.
Proof. intros x d n E D N; nra. Qed.

Lemma ls_quotient_not_negative : forall x d n, x * d = n -> 0 < d -> 0 <= n -> 0 <= x.
Proof. intros x d n E D N; nra. Qed.

Ltac ls_quotient d n :=
  match goal with
  | |- ?x <> 0 => apply (ls_quotient_nonzero x d n); [field; repeat split; ls_nonzero | ls_nonzero]
  | |- ?x > 0 =>
      apply Rlt_gt; apply (ls_quotient_positive x d n); [field; repeat split; ls_nonzero | ls_positive | ls_positive]
  | |- ?x >= 0 =>
      apply Rle_ge;
      apply (ls_quotient_not_negative x d n);
      [field; repeat split; ls_nonzero | ls_positive | ls_not_negative]
  end.

(* An equation between rational expressions whose denominators are known not to vanish. *)
Ltac ls_field := solve [ring | field; repeat split; ls_nonzero | field; repeat split; solve [ls_nonzero | lra | nra]].

(* The same with equations among the hypotheses. *)
Ltac ls_equation :=
  solve
    [ assumption
    | ls_field
    | lra
    | (field_simplify_eq; [lra | repeat split; ls_nonzero])
    | (field_simplify_eq; [nsatz | repeat split; ls_nonzero])
    | nsatz
    | nra ].

(* A multiple of what vanishes by a hypothesis. *)
Ltac ls_multiple_of_zero :=
  apply Rmult_eq_0_compat_l; solve [lra | ls_field | (field_simplify_eq; [lra | repeat split; ls_nonzero]) | nra].

(* The squares of roots whose radicands are known not to be negative. *)
Ltac ls_roots :=
  repeat match goal with
  | F : ?u < 0 \/ (0 <= ?u /\ _) |- _ => destruct F as [F | [_ [? ?]]]; [exfalso; solve [lra | nra] |]
  end.

(* What stands in the context about one term. *)
Ltac ls_root u := let F := fresh "F" in pose proof (ls_root_fact u) as F.
Ltac ls_abs u := let F := fresh "F" in pose proof (ls_abs_fact u) as F.
Ltac ls_max a b := let F := fresh "F" in pose proof (ls_max_fact a b) as F.
Ltac ls_min a b := let F := fresh "F" in pose proof (ls_min_fact a b) as F.
Ltac ls_exp u := let F := fresh "F" in pose proof (ls_exp_fact u) as F.
Ltac ls_ln u := let F := fresh "F" in pose proof (ls_ln_fact u) as F.
Ltac ls_circle u := let F := fresh "F" in pose proof (ls_circle_fact u) as F.

(* The sign of a relation between quotients, told by that of a polynomial. *)
Ltac ls_clear x d v :=
  let F := fresh "F" in
  pose proof (ls_sign_of_quotient x d v ltac:(ls_nonzero) ltac:(ls_field)) as F.
Ltac ls_clear_zero x d v :=
  let F := fresh "F" in
  pose proof (ls_zero_of_quotient x d v ltac:(ls_nonzero) ltac:(ls_field)) as F.

(* By contradiction, and by cases. *)
Ltac ls_suppose N := apply NNPP; intro N.
Ltac ls_either P := let H := fresh "H" in destruct (classic P) as [H | H]; [| try apply NNPP in H].
Ltac ls_open := repeat match goal with H : _ /\ _ |- _ => destruct H end.
Ltac ls_condition :=
  solve
    [ lra
    | ls_open; lra
    | ls_open; repeat match goal with H : _ \/ _ |- _ => destruct H; ls_open end; solve [lra | tauto]
    | nra ].
Ltac ls_pick N :=
  solve
    [ exfalso; apply N; tauto
    | ls_condition
    | exfalso; apply N; repeat (split || apply ls_and || intro); solve [assumption | ls_condition | tauto] ].

(* One summand of a contradiction, the sum so far, and its end. *)
Ltac ls_factor :=
  match goal with
  | |- _ => assumption
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 < _ ^ 2 => solve [apply ls_even_positive; assumption]
  | |- 0 <= _ => solve [apply Rlt_le; assumption | lra]
  | |- 0 < _ => solve [lra]
  end.
Ltac ls_product :=
  first
    [ ls_factor
    | apply Rmult_le_pos; [ls_product | ls_factor]
    | apply Rmult_lt_0_compat; [ls_product | ls_factor] ].
Ltac ls_multiple C := rewrite C; rewrite Rmult_0_r; apply Rle_refl.
Ltac ls_plus S Q := apply (fun H => ls_add _ _ H Q) in S.
Ltac ls_close S :=
  match type of S with
  | 0 < ?t => replace t with 0 in S by (first [ring | field]); exact (False_ind _ (Rlt_irrefl 0 S))
  end.

(* What holds for all small positive numbers, and laws of the form O(e^k). *)

Definition ls_soon (P : R -> Prop) := exists d, 0 < d /\ forall e, 0 < e -> e < d -> P e.

Lemma ls_soon_and : forall P Q : R -> Prop, ls_soon P -> ls_soon Q -> ls_soon (fun e => P e /\ Q e).
Proof.
  intros P Q [d [D H]] [c [C K]]; exists (Rmin d c); split; [apply Rmin_pos; assumption |].
  intros e E L; split; [apply H | apply K]; try assumption.
  - apply Rlt_le_trans with (1 := L); apply Rmin_l.
  - apply Rlt_le_trans with (1 := L); apply Rmin_r.
Qed.

Lemma ls_soon_always : forall P : R -> Prop, (forall e, 0 < e -> P e) -> ls_soon P.
Proof. intros P H; exists 1; split; [lra | intros; apply H; assumption]. Qed.

Lemma ls_soon_implied : forall P Q : R -> Prop, ls_soon P -> (forall e, 0 < e -> P e -> Q e) -> ls_soon Q.
Proof. intros P Q [d [D H]] K; exists d; split; [exact D | intros; apply K; [| apply H]; assumption]. Qed.

Lemma ls_soon_close : forall f a, continuity_pt f 0 -> 0 < a -> ls_soon (fun e => Rabs (f e - f 0) < a).
Proof.
  intros f a C A; destruct (C a A) as [d [D H]]; exists d; split; [exact D |].
  intros e E L; apply (H e); split.
  - split; [exact I | apply Rlt_not_eq; exact E].
  - simpl; unfold R_dist; rewrite Rminus_0_r, Rabs_pos_eq; lra.
Qed.

Lemma ls_soon_nonzero : forall f, continuity_pt f 0 -> f 0 <> 0 -> ls_soon (fun e => f e <> 0).
Proof.
  intros f C N; apply ls_soon_implied with (1 := ls_soon_close f (Rabs (f 0)) C (Rabs_pos_lt _ N)).
  intros e _ H Z; rewrite Z in H; replace (0 - f 0) with (- f 0) in H by ring; rewrite Rabs_Ropp in H; lra.
Qed.

Lemma ls_at_most : forall (V : R -> Prop) (q g : R -> R) (k : nat), continuity_pt g 0 ->
  ls_soon (fun e => V e /\ q e = e ^ k * g e) ->
  exists C d : R, 0 < d /\ (forall e : R, 0 < e -> e < d -> V e /\ Rabs (q e) <= C * e ^ k).
Proof.
  intros V q g k C S; exists (Rabs (g 0) + 1).
  destruct (ls_soon_and _ _ S (ls_soon_close g 1 C Rlt_0_1)) as [d [D H]]; exists d; split; [exact D |].
  intros e E L; destruct (H e E L) as [[A B] K]; split; [exact A |].
  rewrite B, Rabs_mult, (Rabs_pos_eq (e ^ k)) by (apply Rlt_le, pow_lt; exact E).
  rewrite Rmult_comm; apply Rmult_le_compat_r; [apply Rlt_le, pow_lt; exact E |].
  replace (g e) with (g 0 + (g e - g 0)) by ring.
  apply Rle_trans with (1 := Rabs_triang _ _); lra.
Qed.

Ltac ls_continuous := solve [reg; solve [ls_nonzero | lra | nra | (simpl; ls_nonzero)] | reg].
Ltac ls_soon_shown :=
  match goal with
  | |- ls_soon (fun e => _ /\ _) => apply ls_soon_and; ls_soon_shown
  | |- _ =>
      solve
        [ apply ls_soon_always; intros; exact I
        | apply ls_soon_always; intros; ls_value
        | apply ls_soon_nonzero; [ls_continuous | simpl; ls_value] ]
  end.
Ltac ls_scaling V q g d k :=
  apply (ls_at_most V q g k);
  [ ls_continuous
  | apply (ls_soon_implied (fun e => V e /\ d e <> 0));
    [cbv beta; ls_soon_shown | cbv beta; intros; ls_open; split; [tauto | ls_field]] ].
