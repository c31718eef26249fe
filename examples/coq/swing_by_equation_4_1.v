(* swing_by/equation-4.1: The loss of a linear model is half |(W - I) A^(1/2)|^2

   In the notation of LaTeX: \begin{aligned}& b_{11}, b_{12}, b_{22}, w_{11}, w_{12}, w_{21}, w_{22},
   x_{11}, x_{12}, x_{21}, x_{22} \in \mathbb{R},\; b_{11}^{2} + b_{12}^{2} = \frac{x_{11}^{2}}{2} +
   \frac{x_{21}^{2}}{2} \\ & b_{11} b_{12} + b_{12} b_{22} = \frac{x_{11} x_{12}}{2} + \frac{x_{21}
   x_{22}}{2},\; b_{12}^{2} + b_{22}^{2} = \frac{x_{12}^{2}}{2} + \frac{x_{22}^{2}}{2} \\ &
   \;\Longrightarrow\; \frac{\left(w_{11} x_{11} + w_{12} x_{12} - x_{11}\right)^{2}}{4} +
   \frac{\left(w_{11} x_{21} + w_{12} x_{22} - x_{21}\right)^{2}}{4} + \frac{\left(w_{21} x_{11} +
   w_{22} x_{12} - x_{12}\right)^{2}}{4} + \frac{\left(w_{21} x_{21} + w_{22} x_{22} -
   x_{22}\right)^{2}}{4} \\ & \qquad \quad = \frac{\left(b_{11} w_{21} + b_{12} \left(w_{22} -
   1\right)\right)^{2}}{2} + \frac{\left(b_{11} \left(w_{11} - 1\right) + b_{12} w_{12}\right)^{2}}{2}
   + \frac{\left(b_{12} w_{21} + b_{22} \left(w_{22} - 1\right)\right)^{2}}{2} + \frac{\left(b_{12}
   \left(w_{11} - 1\right) + b_{22} w_{12}\right)^{2}}{2}\end{aligned}

   Variables: b_11_0 is b_11, b_12_1 is b_12, b_22_2 is b_22, w_11_3 is w_11, w_12_4 is w_12, w_21_5 is
   w_21, w_22_6 is w_22, x_11_7 is x_11, x_12_8 is x_12, x_21_9 is x_21, x_22_10 is x_22.

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

Ltac ls_multiple_of_zero :=
  apply Rmult_eq_0_compat_l; solve [lra | ls_field | (field_simplify_eq; [lra | repeat split; ls_nonzero]) | nra].

Open Scope R_scope.
Theorem goal : forall (b_11_0 b_12_1 b_22_2 w_11_3 w_12_4 w_21_5 w_22_6 x_11_7 x_12_8 x_21_9 x_22_10 : R), (((b_11_0 * b_12_1) + (b_12_1 * b_22_2)) = (((1 / 2) * x_11_7 * x_12_8) + ((1 / 2) * x_21_9 * x_22_10))) -> (((b_11_0 ^ 2) + (b_12_1 ^ 2)) = (((1 / 2) * (x_11_7 ^ 2)) + ((1 / 2) * (x_21_9 ^ 2)))) -> (((b_12_1 ^ 2) + (b_22_2 ^ 2)) = (((1 / 2) * (x_12_8 ^ 2)) + ((1 / 2) * (x_22_10 ^ 2)))) -> ((((1 / 4) * ((((- 1) * x_11_7) + (w_11_3 * x_11_7) + (w_12_4 * x_12_8)) ^ 2)) + ((1 / 4) * ((((- 1) * x_12_8) + (w_21_5 * x_11_7) + (w_22_6 * x_12_8)) ^ 2)) + ((1 / 4) * ((((- 1) * x_21_9) + (w_11_3 * x_21_9) + (w_12_4 * x_22_10)) ^ 2)) + ((1 / 4) * ((((- 1) * x_22_10) + (w_21_5 * x_21_9) + (w_22_6 * x_22_10)) ^ 2))) = (((1 / 2) * (((b_11_0 * w_21_5) + (b_12_1 * ((- 1) + w_22_6))) ^ 2)) + ((1 / 2) * (((b_11_0 * ((- 1) + w_11_3)) + (b_12_1 * w_12_4)) ^ 2)) + ((1 / 2) * (((b_12_1 * w_21_5) + (b_22_2 * ((- 1) + w_22_6))) ^ 2)) + ((1 / 2) * (((b_12_1 * ((- 1) + w_11_3)) + (b_22_2 * w_12_4)) ^ 2)))).
Proof.
intros.
assert (E0 : (w_12_4 + w_21_5 + ((- 1) * w_11_3 * w_12_4) + ((- 1) * w_21_5 * w_22_6)) * (((b_11_0 * b_12_1) + (b_12_1 * b_22_2) + (((- 1) / 2) * x_11_7 * x_12_8) + (((- 1) / 2) * x_21_9 * x_22_10))) = 0) by ls_multiple_of_zero.
assert (E1 : (((- 1) / 2) + w_22_6 + (((- 1) / 2) * (w_12_4 ^ 2)) + (((- 1) / 2) * (w_22_6 ^ 2))) * (((b_12_1 ^ 2) + (b_22_2 ^ 2) + (((- 1) / 2) * (x_12_8 ^ 2)) + (((- 1) / 2) * (x_22_10 ^ 2)))) = 0) by ls_multiple_of_zero.
assert (E2 : (((- 1) / 2) + w_11_3 + (((- 1) / 2) * (w_11_3 ^ 2)) + (((- 1) / 2) * (w_21_5 ^ 2))) * (((b_11_0 ^ 2) + (b_12_1 ^ 2) + (((- 1) / 2) * (x_11_7 ^ 2)) + (((- 1) / 2) * (x_21_9 ^ 2)))) = 0) by ls_multiple_of_zero.
repeat split; ls_equation.
Qed.
