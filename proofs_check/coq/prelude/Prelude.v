(* Lemmas and tactics that the proofs written by Lemmascope are made of. No axioms, no notations: what a theorem says
   does not depend on this file, only how it is proved. *)
Require Import Reals Lra Psatz Classical Nsatz Ranalysis5.
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
    | ls_open;
      repeat match goal with H : _ \/ _ |- _ => destruct H; ls_open end;
      solve [lra | tauto | match goal with N : _ <> _ |- _ => exfalso; apply N; lra end]
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

(* A lemma of the proof at given terms: its premises are in the context, and so is then what it says. *)

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

(* Vectors of every size: inner products are sums, and a few vectors have triangular coordinates. *)

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

Lemma ls_projected_pair : forall x y z s t n, sum_f_R0 (fun i : nat => (y i - s * x i) * (z i - t * x i)) n =
  sum_f_R0 (fun i : nat => y i * z i) n - t * sum_f_R0 (fun i : nat => x i * y i) n
  - s * sum_f_R0 (fun i : nat => x i * z i) n + s * t * sum_f_R0 (fun i : nat => x i * x i) n.
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

Lemma ls_gram_3 : forall x y z n, exists a b c d e f, sum_f_R0 (fun i : nat => x i * x i) n = a * a /\
  sum_f_R0 (fun i : nat => x i * y i) n = a * b /\ sum_f_R0 (fun i : nat => y i * y i) n = b * b + c * c /\
  sum_f_R0 (fun i : nat => x i * z i) n = a * d /\ sum_f_R0 (fun i : nat => y i * z i) n = b * d + c * e /\
  sum_f_R0 (fun i : nat => z i * z i) n = d * d + e * e + f * f.
Proof.
  intros x y z n; destruct (ls_first_coordinate x n) as [a [A T]].
  destruct (T y) as [b [s [B [P Q]]]], (T z) as [d [t [D [V W]]]].
  destruct (ls_gram_2 (fun i => y i - s * x i) (fun i => z i - t * x i) n) as [c [e [f [C [E F]]]]].
  exists a, b, c, d, e, f; rewrite ls_projected_pair in E; rewrite ls_projected in C, F.
  rewrite B, A in C; rewrite D, A in F; rewrite B, D, A in E; subst b d.
  repeat split; try assumption; lra.
Qed.

Ltac ls_coordinates_one n x a := destruct (ls_gram_1 x n) as [a ?].
Ltac ls_coordinates_two n x y a b c := destruct (ls_gram_2 x y n) as [a [b [c [? [? ?]]]]].
Ltac ls_coordinates_three n x y z a b c d e f :=
  destruct (ls_gram_3 x y z n) as [a [b [c [d [e [f [? [? [? [? [? ?]]]]]]]]]]].
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

(* Orbits of maps: induction over the steps. *)

Ltac ls_induction now := intro now; let I := fresh "I" in induction now as [| now I].
Ltac ls_next M now :=
  let F := fresh "F" in
  pose proof (M now) as F;
  repeat match type of F with _ /\ _ => let E := fresh "E" in destruct F as [E F]; ls_put E end;
  ls_put F.

(* Flows: what moves at known rates, and gaps whose rate is a multiple of them keep their sign (Darboux). *)

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

Lemma ls_keeps_nonzero : forall g k span, (forall s, 0 <= s -> s < span -> derivable_pt_lim g s (k s * g s)) ->
  (forall s, 0 <= s -> s < span -> continuity_pt k s) -> g 0 <> 0 -> forall t, 0 <= t -> t < span -> g t <> 0.
Proof.
  intros g k span D C N t T L Z.
  destruct (ls_bounded k t T) as [M B]; [intros s A E; apply C; lra |].
  destruct (ls_squared_gap g k M t T) as [P _]; [intros s A E; apply D; lra | exact B |].
  rewrite Z in P; pose proof (ls_even_positive (g 0) N); simpl in P; nra.
Qed.

Lemma ls_keeps_positive : forall g k span, (forall s, 0 <= s -> s < span -> derivable_pt_lim g s (k s * g s)) ->
  (forall s, 0 <= s -> s < span -> continuity_pt k s) -> 0 < g 0 -> forall t, 0 <= t -> t < span -> 0 < g t.
Proof.
  intros g k span D C P t T L.
  assert (N : forall s, 0 <= s -> s < span -> g s <> 0) by (apply (ls_keeps_nonzero g k span D C); lra).
  destruct (Rtotal_order (g t) 0) as [H | [H | H]]; [| destruct (N t T L H) | exact H].
  destruct (Rle_lt_or_eq_dec 0 t T) as [S | E]; [| rewrite <- E in H; lra].
  assert (K : forall a, 0 <= a <= t -> continuity_pt (fun s => - g s) a).
  { intros a [A B]; apply derivable_continuous_pt; exists (- (k a * g a)).
    apply (ls_rate_opp g); apply D; lra. }
  destruct (IVT_interv (fun s => - g s) 0 t K S) as [c [[A B] Z]]; [lra | lra |].
  destruct (N c); lra.
Qed.

Lemma ls_keeps_sign : forall g k span, (forall s, 0 <= s -> s < span -> derivable_pt_lim g s (k s * g s)) ->
  (forall s, 0 <= s -> s < span -> continuity_pt k s) -> 0 <= g 0 -> forall t, 0 <= t -> t < span -> 0 <= g t.
Proof.
  intros g k span D C P t T L; destruct (Rle_lt_or_eq_dec 0 (g 0) P) as [S | E].
  - apply Rlt_le; apply (ls_keeps_positive g k span D C S t T L).
  - apply Req_le; symmetry; apply (ls_keeps_zero g k span D C (eq_sym E) t T L).
Qed.

Lemma ls_rate_continuous : forall f s a, derivable_pt_lim f s a -> continuity_pt f s.
Proof. intros f s a H; apply derivable_continuous_pt; exists a; exact H. Qed.

(* What holds at every moment, at one of them. *)
Ltac ls_at_moment s A B :=
  repeat match goal with I : forall now : R, 0 <= now -> now < _ -> _ |- _ => specialize (I s A B) end; ls_open.

(* T is one of the four lemmas at a gap, its factor and the time that the flow lasts; the rates are in the context. *)
Ltac ls_barrier T :=
  refine (T _ _ _);
  [ let s := fresh "s" in let A := fresh "A" in let B := fresh "B" in intros s A B;
    ls_at_moment s A B; eapply ls_rate_is; [ls_derivative | cbv beta; cbn [pred INR]; ls_field]
  | let s := fresh "s" in let A := fresh "A" in let B := fresh "B" in intros s A B;
    ls_at_moment s A B; eapply ls_rate_continuous; ls_derivative
  | cbv beta; assumption ].
Ltac ls_at_first :=
  repeat (rewrite Rmult_0_r || rewrite Rmult_0_l || rewrite Ropp_0 || rewrite exp_0 || rewrite Rplus_0_r).
