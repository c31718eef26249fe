(* edge_of_stability/theorem-3.4#b.33: The product after one step

   In the notation of LaTeX: \begin{aligned}& K \in \left(1, \frac{3}{2}\right),\; \mu, x, y \in
   \left(0, \infty\right) \\ & \;\Longrightarrow\; \left(y - \frac{K x \left(x y -
   \mu\right)}{\mu}\right) \left(x - \frac{K y \left(x y - \mu\right)}{\mu}\right) = \frac{K \left(\mu
   - x y\right) \left(x - y\right)^{2}}{\mu} + x y \left(\frac{K \left(\mu - x y\right)}{\mu} +
   1\right)^{2} \\ & \qquad \wedge\; \left(y - \frac{K x \left(x y - \mu\right)}{\mu}\right) \left(x -
   \frac{K y \left(x y - \mu\right)}{\mu}\right) = \frac{K^{2} x y \left(\mu - x y\right)^{2}}{\mu^{2}}
   + \frac{K \left(\mu - x y\right) \left(x^{2} + y^{2}\right)}{\mu} + x y\end{aligned}

   Variables: K_0 is K, mu_1 is mu, x_2 is x, y_3 is y.

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

Ltac ls_equation :=
  solve
    [ assumption
    | ls_field
    | lra
    | (field_simplify_eq; [lra | repeat split; ls_nonzero])
    | (field_simplify_eq; [nsatz | repeat split; ls_nonzero])
    | nsatz
    | nra ].

Open Scope R_scope.
Theorem goal : forall (K_0 mu_1 x_2 y_3 : R), (0 < mu_1) -> (0 < x_2) -> (0 < y_3) -> (1 < K_0) -> (K_0 < (3 / 2)) -> ((mu_1 <> 0) /\ ((((x_2 + ((- 1) * K_0 * y_3 * (/ (mu_1)) * (((- 1) * mu_1) + (x_2 * y_3)))) * (y_3 + ((- 1) * K_0 * x_2 * (/ (mu_1)) * (((- 1) * mu_1) + (x_2 * y_3))))) = ((x_2 * y_3 * ((1 + (K_0 * (/ (mu_1)) * (mu_1 + ((- 1) * x_2 * y_3)))) ^ 2)) + (K_0 * (/ (mu_1)) * ((x_2 + ((- 1) * y_3)) ^ 2) * (mu_1 + ((- 1) * x_2 * y_3))))) /\ (((x_2 + ((- 1) * K_0 * y_3 * (/ (mu_1)) * (((- 1) * mu_1) + (x_2 * y_3)))) * (y_3 + ((- 1) * K_0 * x_2 * (/ (mu_1)) * (((- 1) * mu_1) + (x_2 * y_3))))) = ((x_2 * y_3) + (K_0 * (/ (mu_1)) * (mu_1 + ((- 1) * x_2 * y_3)) * ((x_2 ^ 2) + (y_3 ^ 2))) + (x_2 * y_3 * (K_0 ^ 2) * (/ (mu_1 ^ 2)) * ((mu_1 + ((- 1) * x_2 * y_3)) ^ 2)))))).
Proof.
intros.
assert (V0 : mu_1 <> 0) by ls_value.
repeat split; ls_equation.
Qed.
