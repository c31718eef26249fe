(* swing_by/claim-4.2.s3.b: The time at which a major entry reaches a level solves its own equation

   In the notation of LaTeX: \begin{aligned}& h, v_{1} \in \left(0, 1\right),\; a_{1} \in \left(0,
   \infty\right) \\ & \;\Longrightarrow\; \frac{v_{1} \left(1 - h\right) \left(\frac{h \left(1 -
   v_{1}\right)}{v_{1} \left(1 - h\right)^{2}} + \frac{1 - v_{1}}{v_{1} \left(1 - h\right)}\right)}{2
   a_{1} h \left(1 - v_{1}\right)} = \frac{1}{2 a_{1} h \left(1 - h\right)}\end{aligned}

   Variables: h_0 is h, v_1_1 is v_1, a_1_2 is a_1.

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
Theorem goal : forall (h_0 v_1_1 a_1_2 : R), (0 < a_1_2) -> (0 < h_0) -> (0 < v_1_1) -> (h_0 < 1) -> (v_1_1 < 1) -> (((1 + ((- 1) * h_0)) <> 0) /\ ((1 + ((- 1) * v_1_1)) <> 0) /\ (a_1_2 <> 0) /\ (h_0 <> 0) /\ (v_1_1 <> 0) /\ (((1 / 2) * v_1_1 * (/ (a_1_2)) * (/ (h_0)) * (/ ((1 + ((- 1) * v_1_1)))) * (1 + ((- 1) * h_0)) * (((/ (v_1_1)) * (/ ((1 + ((- 1) * h_0)))) * (1 + ((- 1) * v_1_1))) + (h_0 * (/ (v_1_1)) * (/ ((1 + ((- 1) * h_0)) ^ 2)) * (1 + ((- 1) * v_1_1))))) = ((1 / 2) * (/ (a_1_2)) * (/ (h_0)) * (/ ((1 + ((- 1) * h_0))))))).
Proof.
intros.
assert (V0 : a_1_2 <> 0) by ls_value.
assert (V1 : h_0 <> 0) by ls_value.
assert (V2 : v_1_1 <> 0) by ls_value.
assert (V3 : (1 + ((- 1) * h_0)) <> 0) by ls_value.
assert (V4 : (1 + ((- 1) * v_1_1)) <> 0) by ls_value.
repeat split; ls_equation.
Qed.
