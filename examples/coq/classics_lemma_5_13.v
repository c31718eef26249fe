(* classics/lemma-5.13: Cross-entropy: the slope in a logit is probability minus label

   In the notation of LaTeX: w \in \mathbb{R},\; y \in \left[0, 1\right] \;\Longrightarrow\;
   \frac{\left(1 - y\right) e^{- w}}{\left(1 - \frac{1}{1 + e^{- w}}\right) \left(1 + e^{-
   w}\right)^{2}} - \frac{y e^{- w}}{1 + e^{- w}} = \frac{1}{1 + e^{- w}} - y

   Variables: w_0 is w, y_1 is y.

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

Lemma ls_exp_fact : forall u, 0 < exp u /\ ((u = 0 /\ exp u = 1) \/ (1 + u < exp u /\ exp u * (1 - u) < 1)).
Proof.
  intro u; pose proof (exp_pos u) as P; split; [exact P |].
  destruct (Req_dec u 0) as [Z | Z]; [left; split; [exact Z | rewrite Z; apply exp_0] | right].
  split; [apply exp_ineq1; exact Z |].
  assert (N : 1 + - u < exp (- u)) by (apply exp_ineq1; lra).
  assert (I : exp (- u) * exp u = 1) by (rewrite <- exp_plus; replace (- u + u) with 0 by ring; apply exp_0).
  nra.
Qed.

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

Ltac ls_field := solve [ring | field; repeat split; ls_nonzero | field; repeat split; solve [ls_nonzero | lra | nra]].

Ltac ls_equation :=
  solve
    [ assumption
    | ls_field
    | lra
    | (field_simplify_eq; [lra | repeat split; ls_nonzero])
    | (field_simplify_eq; [nsatz | repeat split; ls_nonzero])
    | nsatz
    | nra ].

Ltac ls_exp u := let F := fresh "F" in pose proof (ls_exp_fact u) as F.

Open Scope R_scope.
Theorem goal : forall (w_0 y_1 : R), (0 <= y_1) -> (y_1 <= 1) -> (((1 + (exp ((- 1) * w_0))) <> 0) /\ ((1 + ((- 1) * (/ ((1 + (exp ((- 1) * w_0))))))) <> 0) /\ ((((- 1) * y_1 * (/ ((1 + (exp ((- 1) * w_0))))) * (exp ((- 1) * w_0))) + ((/ ((1 + ((- 1) * (/ ((1 + (exp ((- 1) * w_0))))))))) * (/ ((1 + (exp ((- 1) * w_0))) ^ 2)) * (1 + ((- 1) * y_1)) * (exp ((- 1) * w_0)))) = ((/ ((1 + (exp ((- 1) * w_0))))) + ((- 1) * y_1)))).
Proof.
intros.
ls_exp (((- 1) * w_0)).
assert (V0 : (1 + (exp ((- 1) * w_0))) <> 0) by ls_value.
assert (V1 : (1 + ((- 1) * (/ ((1 + (exp ((- 1) * w_0))))))) <> 0) by (first [ls_value | ls_quotient ((1 + (exp ((- 1) * w_0)))) ((exp ((- 1) * w_0)))]).
repeat split; ls_equation.
Qed.
