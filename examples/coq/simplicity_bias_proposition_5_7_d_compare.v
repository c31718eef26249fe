(* simplicity_bias/proposition-5.7#d.compare: Eliminating T: h(X) >= (A/B) h(Y) + ((B - A)/B) h_0 -
   (h_0 - k_0)

   In the notation of LaTeX: h_{X}, k_{X}, h_{Y}, k_{Y} \in \mathbb{R},\; A, B \in \left(0,
   \infty\right),\; T \in \left[0, \infty\right),\; h_{X} - k_{X} \geq A T,\; h_{Y} - k_{Y} \leq B T
   \;\Longrightarrow\; h_{X} \geq \frac{A h_{Y}}{B} + k_{X} - k_{Y} + \frac{k_{Y} \left(B -
   A\right)}{B}

   Variables: h_X_0 is h_X, k_X_1 is k_X, h_Y_2 is h_Y, k_Y_3 is k_Y, A_4 is A, B_5 is B, T_6 is T.

   The theorem has the domains of the variables and what is given as hypotheses. Division, square root
   and logarithm have a value everywhere in Coq, so it concludes first that everything in the
   conclusion is defined.

   Compile with coqc of Coq 8.16 or newer; `Print Assumptions goal.` lists the axioms of the real
   numbers alone. *)

Require Import Reals Lra Psatz.
Require Import Reals Lra Psatz Classical Nsatz Ranalysis5.
Open Scope R_scope.

Lemma ls_add : forall a b, 0 < a -> 0 <= b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma ls_even_positive : forall v, v <> 0 -> 0 < v ^ 2.
Proof. intros v H; rewrite <- Rsqr_pow2; apply Rsqr_pos_lt; exact H. Qed.

Lemma ls_square_nonzero : forall d, d <> 0 -> 0 < d * d.
Proof. intros d H; replace (d * d) with (d ^ 2) by ring; apply ls_even_positive; exact H. Qed.

Lemma ls_sign_of_quotient : forall x d v, d <> 0 -> x * (d * d) = v ->
  (x < 0 /\ v < 0) \/ (x = 0 /\ v = 0) \/ (0 < x /\ 0 < v).
Proof.
  intros x d v D E; pose proof (ls_square_nonzero d D).
  destruct (Rtotal_order x 0) as [L | [L | L]]; [left | right; left | right; right]; split; try lra; nra.
Qed.

Lemma ls_and : forall A B : Prop, A -> (A -> B) -> A /\ B.
Proof. tauto. Qed.

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

Ltac ls_field := solve [ring | field; repeat split; ls_nonzero | field; repeat split; solve [ls_nonzero | lra | nra]].

Ltac ls_clear x d v :=
  let F := fresh "F" in
  pose proof (ls_sign_of_quotient x d v ltac:(ls_nonzero) ltac:(ls_field)) as F.

Ltac ls_suppose N := apply NNPP; intro N.

Ltac ls_either P := let H := fresh "H" in destruct (classic P) as [H | H]; [| try apply NNPP in H].

Ltac ls_open := repeat match goal with H : _ /\ _ |- _ => destruct H end.

Ltac ls_condition :=
  solve
    [ lra
    | ls_open; lra
    | ls_open;
      repeat match goal with H : _ \/ _ |- _ => destruct H; ls_open end;
      solve [lra | tauto | match goal with N : _ <> _ |- _ => exfalso; apply N; lra end]
    | nra ].

Ltac ls_pick N :=
  solve
    [ exfalso; apply N; tauto
    | ls_condition
    | exfalso; apply N; repeat (split || apply ls_and || intro); solve [assumption | ls_condition | tauto] ].

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

Open Scope R_scope.
Theorem goal : forall (h_X_0 k_X_1 h_Y_2 k_Y_3 A_4 B_5 T_6 : R), (0 <= T_6) -> (0 < A_4) -> (0 < B_5) -> ((h_X_0 + ((- 1) * k_X_1)) >= (A_4 * T_6)) -> ((h_Y_2 + ((- 1) * k_Y_3)) <= (B_5 * T_6)) -> ((B_5 <> 0) /\ (h_X_0 >= (k_X_1 + ((- 1) * k_Y_3) + (A_4 * h_Y_2 * (/ (B_5))) + (k_Y_3 * (/ (B_5)) * (B_5 + ((- 1) * A_4)))))).
Proof.
intros.
ls_suppose denied.
assert (C0 : 0 < ((1) * A_4)) by (first [ls_condition | try ls_either (B_5 <> 0); try ls_clear (h_X_0 - (k_X_1 + ((- 1) * k_Y_3) + (A_4 * h_Y_2 * (/ (B_5))) + (k_Y_3 * (/ (B_5)) * (B_5 + ((- 1) * A_4))))) ((1) * B_5) ((- (1)) * A_4 * B_5 * h_Y_2 + (1) * A_4 * B_5 * k_Y_3 + (1) * B_5 ^ 2 * h_X_0 + (- (1)) * B_5 ^ 2 * k_X_1); ls_pick denied]).
assert (C1 : 0 < ((1) * B_5)) by (first [ls_condition | try ls_either (B_5 <> 0); try ls_clear (h_X_0 - (k_X_1 + ((- 1) * k_Y_3) + (A_4 * h_Y_2 * (/ (B_5))) + (k_Y_3 * (/ (B_5)) * (B_5 + ((- 1) * A_4))))) ((1) * B_5) ((- (1)) * A_4 * B_5 * h_Y_2 + (1) * A_4 * B_5 * k_Y_3 + (1) * B_5 ^ 2 * h_X_0 + (- (1)) * B_5 ^ 2 * k_X_1); ls_pick denied]).
assert (C3 : 0 <= ((- (1)) * A_4 * T_6 + (1) * h_X_0 + (- (1)) * k_X_1)) by (first [ls_condition | try ls_either (B_5 <> 0); try ls_clear (h_X_0 - (k_X_1 + ((- 1) * k_Y_3) + (A_4 * h_Y_2 * (/ (B_5))) + (k_Y_3 * (/ (B_5)) * (B_5 + ((- 1) * A_4))))) ((1) * B_5) ((- (1)) * A_4 * B_5 * h_Y_2 + (1) * A_4 * B_5 * k_Y_3 + (1) * B_5 ^ 2 * h_X_0 + (- (1)) * B_5 ^ 2 * k_X_1); ls_pick denied]).
assert (C4 : 0 <= ((1) * B_5 * T_6 + (- (1)) * h_Y_2 + (1) * k_Y_3)) by (first [ls_condition | try ls_either (B_5 <> 0); try ls_clear (h_X_0 - (k_X_1 + ((- 1) * k_Y_3) + (A_4 * h_Y_2 * (/ (B_5))) + (k_Y_3 * (/ (B_5)) * (B_5 + ((- 1) * A_4))))) ((1) * B_5) ((- (1)) * A_4 * B_5 * h_Y_2 + (1) * A_4 * B_5 * k_Y_3 + (1) * B_5 ^ 2 * h_X_0 + (- (1)) * B_5 ^ 2 * k_X_1); ls_pick denied]).
assert (P1x : (((1) * B_5) = 0) \/ (0 < ((1) * A_4 * B_5 * h_Y_2 + (- (1)) * A_4 * B_5 * k_Y_3 + (- (1)) * B_5 ^ 2 * h_X_0 + (1) * B_5 ^ 2 * k_X_1))) by (first [ls_condition | try ls_either (B_5 <> 0); try ls_clear (h_X_0 - (k_X_1 + ((- 1) * k_Y_3) + (A_4 * h_Y_2 * (/ (B_5))) + (k_Y_3 * (/ (B_5)) * (B_5 + ((- 1) * A_4))))) ((1) * B_5) ((- (1)) * A_4 * B_5 * h_Y_2 + (1) * A_4 * B_5 * k_Y_3 + (1) * B_5 ^ 2 * h_X_0 + (- (1)) * B_5 ^ 2 * k_X_1); ls_either (h_X_0 >= (k_X_1 + ((- 1) * k_Y_3) + (A_4 * h_Y_2 * (/ (B_5))) + (k_Y_3 * (/ (B_5)) * (B_5 + ((- 1) * A_4))))); ls_pick denied]).
destruct P1x as [H2x | H3x].
{
assert (S4x : 0 < (1) * ((1) * B_5)) by ls_product.
assert (E5x : 0 <= ((- (1))) * ((1) * B_5)) by ls_multiple H2x.
ls_plus S4x E5x.
ls_close S4x.
}
{
assert (X6x : (((1) * A_4 * h_Y_2 + (- (1)) * A_4 * k_Y_3 + (- (1)) * B_5 * h_X_0 + (1) * B_5 * k_X_1) <> 0) \/ (((1) * A_4 * h_Y_2 + (- (1)) * A_4 * k_Y_3 + (- (1)) * B_5 * h_X_0 + (1) * B_5 * k_X_1) = 0)) by ls_condition.
destruct X6x as [H7x | H8x].
{
assert (X9x : (0 < ((1) * A_4 * h_Y_2 + (- (1)) * A_4 * k_Y_3 + (- (1)) * B_5 * h_X_0 + (1) * B_5 * k_X_1)) \/ (0 <= ((- (1)) * A_4 * h_Y_2 + (1) * A_4 * k_Y_3 + (1) * B_5 * h_X_0 + (- (1)) * B_5 * k_X_1))) by ls_condition.
destruct X9x as [H10x | H11x].
{
assert (S12x : 0 < (1) * ((1) * A_4 * h_Y_2 + (- (1)) * A_4 * k_Y_3 + (- (1)) * B_5 * h_X_0 + (1) * B_5 * k_X_1)) by ls_product.
assert (Q13x : 0 <= (1) * ((1) * A_4) * ((1) * B_5 * T_6 + (- (1)) * h_Y_2 + (1) * k_Y_3) * ((1)) ^ 2) by ls_product.
ls_plus S12x Q13x.
assert (Q14x : 0 <= (1) * ((1) * B_5) * ((- (1)) * A_4 * T_6 + (1) * h_X_0 + (- (1)) * k_X_1) * ((1)) ^ 2) by ls_product.
ls_plus S12x Q14x.
ls_close S12x.
}
{
assert (S15x : 0 < (1) * ((1) * A_4 * B_5 * h_Y_2 + (- (1)) * A_4 * B_5 * k_Y_3 + (- (1)) * B_5 ^ 2 * h_X_0 + (1) * B_5 ^ 2 * k_X_1)) by ls_product.
assert (Q16x : 0 <= (1) * ((1) * B_5) * ((- (1)) * A_4 * h_Y_2 + (1) * A_4 * k_Y_3 + (1) * B_5 * h_X_0 + (- (1)) * B_5 * k_X_1) * ((1)) ^ 2) by ls_product.
ls_plus S15x Q16x.
ls_close S15x.
}
}
{
assert (S17x : 0 < (1) * ((1) * A_4 * B_5 * h_Y_2 + (- (1)) * A_4 * B_5 * k_Y_3 + (- (1)) * B_5 ^ 2 * h_X_0 + (1) * B_5 ^ 2 * k_X_1)) by ls_product.
assert (E18x : 0 <= ((- (1)) * B_5) * ((1) * A_4 * h_Y_2 + (- (1)) * A_4 * k_Y_3 + (- (1)) * B_5 * h_X_0 + (1) * B_5 * k_X_1)) by ls_multiple H8x.
ls_plus S17x E18x.
ls_close S17x.
}
}
Qed.
