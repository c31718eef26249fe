(* simplicity_bias/assumption-5.1.c: Points within delta < sqrt(2)/2 of e_1 have x^1 > |x^2|

   In the notation of LaTeX: p, q \in \mathbb{R},\; q^{2} + \left(p - 1\right)^{2} < c,\; c =
   \frac{1}{2}\text{ (larger is stronger)} \;\Longrightarrow\; p > \left|{q}\right|

   Variables: p_0 is p, q_1 is q.

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

Lemma ls_abs_fact : forall u, (0 <= u /\ Rabs u = u) \/ (u < 0 /\ Rabs u = - u).
Proof. intro u; unfold Rabs; destruct Rcase_abs; [right | left]; split; lra. Qed.

Lemma ls_and : forall A B : Prop, A -> (A -> B) -> A /\ B.
Proof. tauto. Qed.

Ltac ls_abs u := let F := fresh "F" in pose proof (ls_abs_fact u) as F.

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
Theorem goal : forall (p_0 q_1 : R), (((q_1 ^ 2) + (((- 1) + p_0) ^ 2)) < (1 / 2)) -> (p_0 > (Rabs q_1)).
Proof.
intros.
ls_abs (q_1).
ls_suppose denied.
assert (C0 : 0 < ((- (1)) * p_0 ^ 2 + (2) * p_0 + (- (1)) * q_1 ^ 2 + (- (1 / 2)))) by (first [ls_condition | ls_pick denied]).
assert (C1 : 0 <= ((- (1)) * p_0 + (1) * (Rabs q_1))) by (first [ls_condition | ls_pick denied]).
assert (C2 : 0 <= ((- (1)) * q_1 + (1) * (Rabs q_1))) by (first [ls_condition | ls_pick denied]).
assert (C3 : 0 <= ((1) * q_1 + (1) * (Rabs q_1))) by (first [ls_condition | ls_pick denied]).
assert (P1x : (((- (1)) * q_1 + (1) * (Rabs q_1)) = 0) \/ (((1) * q_1 + (1) * (Rabs q_1)) = 0)) by (first [ls_condition | ls_either (p_0 > (Rabs q_1)); ls_pick denied]).
destruct P1x as [H2x | H3x].
{
assert (S4x : 0 < (1) * ((- (1)) * p_0 ^ 2 + (2) * p_0 + (- (1)) * q_1 ^ 2 + (- (1 / 2)))) by ls_product.
assert (Q5x : 0 <= (1) * ((1) * p_0 + (- (1 / 2))) ^ 2) by ls_product.
ls_plus S4x Q5x.
assert (Q6x : 0 <= (2965 / 4096) * ((- (917 / 2965)) * q_1 + (1) * (Rabs q_1) + (- (1024 / 2965))) ^ 2) by ls_product.
ls_plus S4x Q6x.
assert (Q7x : 0 <= (1941 / 2965) * ((1) * q_1 + (- (1 / 2))) ^ 2) by ls_product.
ls_plus S4x Q7x.
assert (Q8x : 0 <= (1) * ((- (1)) * p_0 + (1) * (Rabs q_1)) * ((1)) ^ 2) by ls_product.
ls_plus S4x Q8x.
assert (Q9x : 0 <= (3881 / 4096) * ((- (1)) * q_1 + (1) * (Rabs q_1)) * ((1)) ^ 2) by ls_product.
ls_plus S4x Q9x.
assert (E10x : 0 <= ((- (1131 / 4096)) * q_1 + (- (2965 / 4096)) * (Rabs q_1) + (- (5929 / 4096))) * ((- (1)) * q_1 + (1) * (Rabs q_1))) by ls_multiple H2x.
ls_plus S4x E10x.
ls_close S4x.
}
{
assert (S11x : 0 < (1) * ((- (1)) * p_0 ^ 2 + (2) * p_0 + (- (1)) * q_1 ^ 2 + (- (1 / 2)))) by ls_product.
assert (Q12x : 0 <= (1) * ((1) * p_0 + (- (1 / 2))) ^ 2) by ls_product.
ls_plus S11x Q12x.
assert (Q13x : 0 <= (2965 / 4096) * ((917 / 2965) * q_1 + (1) * (Rabs q_1) + (- (1024 / 2965))) ^ 2) by ls_product.
ls_plus S11x Q13x.
assert (Q14x : 0 <= (1941 / 2965) * ((1) * q_1 + (1 / 2)) ^ 2) by ls_product.
ls_plus S11x Q14x.
assert (Q15x : 0 <= (1) * ((- (1)) * p_0 + (1) * (Rabs q_1)) * ((1)) ^ 2) by ls_product.
ls_plus S11x Q15x.
assert (Q16x : 0 <= (3881 / 4096) * ((1) * q_1 + (1) * (Rabs q_1)) * ((1)) ^ 2) by ls_product.
ls_plus S11x Q16x.
assert (E17x : 0 <= ((1131 / 4096) * q_1 + (- (2965 / 4096)) * (Rabs q_1) + (- (5929 / 4096))) * ((1) * q_1 + (1) * (Rabs q_1))) by ls_multiple H3x.
ls_plus S11x E17x.
ls_close S11x.
}
Qed.
