(* classics/lemma-8.1: Cauchy and Schwarz, in every dimension

   In the notation of LaTeX: x, y \in \mathbb{R}^{d} \;\Longrightarrow\; \left\langle x, y
   \right\rangle^{2} \leq \left\| x \right\|^{2} \left\| y \right\|^{2}

   Variables: x_0 is x, y_1 is y.

   The theorem has the domains of the variables and what is given as hypotheses. Division, square root
   and logarithm have a value everywhere in Coq, so it concludes first that everything in the
   conclusion is defined.

   A vector of size n + 1 is a sequence of numbers whose members from 0 to n are its coordinates.

   Compile with coqc of Coq 8.16 or newer; `Print Assumptions goal.` lists the axioms of the real
   numbers alone. *)

Require Import Reals Lra Psatz.
Require Import Reals Lra Psatz Classical Nsatz Ranalysis5.
Open Scope R_scope.

Lemma ls_add : forall a b, 0 < a -> 0 <= b -> 0 < a + b.
Proof. intros; lra. Qed.

Lemma ls_even_positive : forall v, v <> 0 -> 0 < v ^ 2.
Proof. intros v H; rewrite <- Rsqr_pow2; apply Rsqr_pos_lt; exact H. Qed.

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

Ltac ls_suppose N := apply NNPP; intro N.

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

Ltac ls_plus S Q := apply (fun H => ls_add _ _ H Q) in S.

Ltac ls_close S :=
  match type of S with
  | 0 < ?t => replace t with 0 in S by (first [ring | field]); exact (False_ind _ (Rlt_irrefl 0 S))
  end.

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

Ltac ls_sums :=
  intros;
  match goal with
  | |- sum_f_R0 _ ?n = _ =>
      let I := fresh "I" in
      induction n as [| n I]; cbn [sum_f_R0]; [ring | rewrite I; ring]
  end.

Lemma ls_sum_of_squares : forall x n, 0 <= sum_f_R0 (fun i : nat => x i * x i) n.
Proof. intros x n; apply cond_pos_sum; intro i; nra. Qed.

Lemma ls_projected : forall x y t n, sum_f_R0 (fun i : nat => (y i - t * x i) * (y i - t * x i)) n =
  sum_f_R0 (fun i : nat => y i * y i) n - 2 * t * sum_f_R0 (fun i : nat => x i * y i) n
  + t * t * sum_f_R0 (fun i : nat => x i * x i) n.
Proof. ls_sums. Qed.

Lemma ls_without_length : forall x y n, sum_f_R0 (fun i : nat => x i * x i) n = 0 ->
  sum_f_R0 (fun i : nat => x i * y i) n = 0.
Proof.
  intros x y n Z.
  pose proof (ls_sum_of_squares (fun i => y i - 0 * x i) n) as A.
  assert (B : forall t, 0 <= sum_f_R0 (fun i : nat => y i * y i) n - 2 * t * sum_f_R0 (fun i : nat => x i * y i) n).
  { intro t; pose proof (ls_sum_of_squares (fun i => y i - t * x i) n) as P; cbv beta in P.
    rewrite ls_projected, Z in P; lra. }
  destruct (Req_dec (sum_f_R0 (fun i : nat => x i * y i) n) 0) as [E | N]; [exact E |].
  pose proof (B ((1 + sum_f_R0 (fun i : nat => y i * y i) n) / (2 * sum_f_R0 (fun i : nat => x i * y i) n))) as C.
  replace (2 * ((1 + sum_f_R0 (fun i : nat => y i * y i) n) / (2 * sum_f_R0 (fun i : nat => x i * y i) n)) *
    sum_f_R0 (fun i : nat => x i * y i) n) with (1 + sum_f_R0 (fun i : nat => y i * y i) n) in C by (field; exact N).
  lra.
Qed.

Lemma ls_gram_1 : forall x n, exists a, sum_f_R0 (fun i : nat => x i * x i) n = a * a.
Proof.
  intros x n; exists (sqrt (sum_f_R0 (fun i : nat => x i * x i) n)); rewrite sqrt_sqrt;
    [reflexivity | apply ls_sum_of_squares].
Qed.

Lemma ls_first_coordinate : forall x n, exists a, sum_f_R0 (fun i : nat => x i * x i) n = a * a /\
  (forall y, exists b t, sum_f_R0 (fun i : nat => x i * y i) n = a * b /\
    t * sum_f_R0 (fun i : nat => x i * x i) n = sum_f_R0 (fun i : nat => x i * y i) n /\ t * a = b).
Proof.
  intros x n; destruct (ls_gram_1 x n) as [a A]; exists a; split; [exact A |]; intro y.
  destruct (Req_dec a 0) as [Z | N].
  - exists 0, 0; rewrite ls_without_length by (rewrite A, Z; ring); repeat split; ring.
  - exists (sum_f_R0 (fun i : nat => x i * y i) n / a), (sum_f_R0 (fun i : nat => x i * y i) n / a / a).
    rewrite A; repeat split; field; exact N.
Qed.

Lemma ls_gram_2 : forall x y n, exists a b c, sum_f_R0 (fun i : nat => x i * x i) n = a * a /\
  sum_f_R0 (fun i : nat => x i * y i) n = a * b /\ sum_f_R0 (fun i : nat => y i * y i) n = b * b + c * c.
Proof.
  intros x y n; destruct (ls_first_coordinate x n) as [a [A T]]; destruct (T y) as [b [t [B [P Q]]]].
  destruct (ls_gram_1 (fun i => y i - t * x i) n) as [c C]; exists a, b, c; repeat split; try assumption.
  rewrite ls_projected, B, A in C; subst b; lra.
Qed.

Ltac ls_coordinates_two n x y a b c := destruct (ls_gram_2 x y n) as [a [b [c [? [? ?]]]]].

Ltac ls_gathered G := rewrite G; repeat match goal with E : sum_f_R0 _ _ = _ |- _ => rewrite E end; ring.

Ltac ls_length T :=
  rewrite T;
  first [reflexivity | apply f_equal; ring | rewrite <- sqrt_Rsqr_abs; apply f_equal; unfold Rsqr; ring].

Ltac ls_even_roots :=
  repeat match goal with
  | |- context [Rabs ?u ^ 2] => rewrite (pow2_abs u)
  | H : context [Rabs ?u ^ 2] |- _ => rewrite (pow2_abs u) in H
  | |- context [sqrt ?u ^ 2] => rewrite (pow2_sqrt u) by ls_not_negative
  | H : context [sqrt ?u ^ 2] |- _ => rewrite (pow2_sqrt u) in H by ls_not_negative
  end.

Open Scope R_scope.
Theorem goal : forall (size_0 : nat) (x_v0 y_v1 : nat -> R), (((sum_f_R0 (fun i : nat => (x_v0 i) * (y_v1 i)) size_0) ^ 2) <= (((sqrt (sum_f_R0 (fun i : nat => (x_v0 i) ^ 2) size_0)) ^ 2) * ((sqrt (sum_f_R0 (fun i : nat => (y_v1 i) ^ 2) size_0)) ^ 2))).
Proof.
assert (L : forall (x_1_0 y_1_1 y_2_2 : R), (((x_1_0 ^ 2) * (y_1_1 ^ 2)) <= ((x_1_0 ^ 2) * ((y_1_1 ^ 2) + (y_2_2 ^ 2))))).
{
intros.
ls_suppose denied.
assert (C0 : 0 < ((- (1)) * x_1_0 ^ 2 * y_2_2 ^ 2)) by (first [ls_condition | ls_pick denied]).
assert (S1x : 0 < (1) * ((- (1)) * x_1_0 ^ 2 * y_2_2 ^ 2)) by ls_product.
assert (Q2x : 0 <= (1) * ((1) * x_1_0 * y_2_2) ^ 2) by ls_product.
ls_plus S1x Q2x.
ls_close S1x.
}
assert (G0 : forall (size_0 : nat) (x_v0 y_v1 : nat -> R), sum_f_R0 (fun i : nat => (x_v0 i) * (y_v1 i)) size_0 = 1 * sum_f_R0 (fun i : nat => (x_v0 i) * (y_v1 i)) size_0) by ls_sums.
assert (G1 : forall (size_0 : nat) (x_v0 y_v1 : nat -> R), sum_f_R0 (fun i : nat => (x_v0 i) ^ 2) size_0 = 1 * sum_f_R0 (fun i : nat => (x_v0 i) * (x_v0 i)) size_0) by ls_sums.
assert (G2 : forall (size_0 : nat) (x_v0 y_v1 : nat -> R), sum_f_R0 (fun i : nat => (y_v1 i) ^ 2) size_0 = 1 * sum_f_R0 (fun i : nat => (y_v1 i) * (y_v1 i)) size_0) by ls_sums.
intros.
ls_coordinates_two size_0 x_v0 y_v1 x_1_0 y_1_1 y_2_2.
assert (T0 : sum_f_R0 (fun i : nat => (x_v0 i) * (y_v1 i)) size_0 = (x_1_0 * y_1_1)) by ls_gathered (G0 size_0 x_v0 y_v1).
assert (T1 : sum_f_R0 (fun i : nat => (x_v0 i) ^ 2) size_0 = (x_1_0 ^ 2)) by ls_gathered (G1 size_0 x_v0 y_v1).
assert (N1 : (sqrt (sum_f_R0 (fun i : nat => (x_v0 i) ^ 2) size_0)) = ((sqrt (x_1_0 ^ 2)))) by ls_length T1.
assert (T2 : sum_f_R0 (fun i : nat => (y_v1 i) ^ 2) size_0 = ((y_1_1 ^ 2) + (y_2_2 ^ 2))) by ls_gathered (G2 size_0 x_v0 y_v1).
assert (N2 : (sqrt (sum_f_R0 (fun i : nat => (y_v1 i) ^ 2) size_0)) = ((sqrt ((y_1_1 ^ 2) + (y_2_2 ^ 2))))) by ls_length T2.
ls_put N1.
ls_put N2.
ls_put T0.
ls_put T1.
ls_put T2.
ls_even_roots.
ls_use (L x_1_0 y_1_1 y_2_2).
ls_shown.
Qed.
