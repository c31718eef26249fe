(* edge_of_stability/equation-3.3: The loss after one step, to second order

   In the notation of LaTeX: \begin{aligned}& f_{2}, f_{3}, f_{4} \in \mathbb{R},\; \eta \in \left(0,
   \infty\right) \\ & \;\Longrightarrow\; \frac{\epsilon^{4} \eta^{4} f_{4}}{24} - \frac{\epsilon^{3}
   \eta^{3} f_{3}}{6} + \frac{\epsilon^{2} \eta^{2} f_{2}}{2} + \epsilon^{2} \eta \left(1 - \frac{\eta
   f_{2}}{2}\right) - \epsilon^{2} \eta = O\left(\epsilon^{3}\right)\;\left(\text{exponent} \pm
   \frac{1}{20}\text{ where fitted}\right)\end{aligned}

   The theorem has the domains of the variables and what is given as hypotheses. Division, square root
   and logarithm have a value everywhere in Coq, so it concludes first that everything in the
   conclusion is defined.

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

Open Scope R_scope.
Theorem goal : forall (f_2_0 f_3_1 f_4_2 eta_3 : R), (0 < eta_3) -> exists size reach : R, 0 < reach /\ (forall small : R, 0 < small -> small < reach -> True /\ (Rabs (((- 1) * eta_3 * (small ^ 2)) + (eta_3 * (small ^ 2) * (1 + (((- 1) / 2) * eta_3 * f_2_0))) + ((1 / 2) * f_2_0 * (small ^ 2) * (eta_3 ^ 2)) + (((- 1) / 6) * f_3_1 * (small ^ 3) * (eta_3 ^ 3)) + ((1 / 24) * f_4_2 * (small ^ 4) * (eta_3 ^ 4))) <= size * small ^ 3)).
Proof.
intros.
ls_scaling (fun small : R => True) (fun small : R => (((- 1) * eta_3 * (small ^ 2)) + (eta_3 * (small ^ 2) * (1 + (((- 1) / 2) * eta_3 * f_2_0))) + ((1 / 2) * f_2_0 * (small ^ 2) * (eta_3 ^ 2)) + (((- 1) / 6) * f_3_1 * (small ^ 3) * (eta_3 ^ 3)) + ((1 / 24) * f_4_2 * (small ^ 4) * (eta_3 ^ 4)))) (fun small : R => ((((- 1) / 6) * f_3_1 * (eta_3 ^ 3)) + ((1 / 24) * small * f_4_2 * (eta_3 ^ 4))) / 1) (fun small : R => 1) 3%nat.
Qed.
