(* simplicity_bias/proposition-b.2#integral-4: The closed form for d = 4 is the integral over a > -c

   In the notation of LaTeX: \begin{aligned}& c \in \left(-1, 1\right),\; v \in \mathbb{R} \\ &
   \;\Longrightarrow\; \frac{8 v \left(\frac{\left(1 - c^{2}\right)^{\frac{3}{2}}}{4} - \frac{3 c^{2}
   \sqrt{1 - c^{2}}}{4} - \frac{3 c^{2}}{8 \sqrt{1 - c^{2}}} + \frac{3 \sqrt{1 - c^{2}}}{8} +
   \frac{3}{8 \sqrt{1 - c^{2}}}\right)}{3 \pi} - \frac{8 c \left(1 - c^{2}\right)^{\frac{3}{2}}}{3 \pi}
   \\ & \qquad \quad = \frac{8 \left(1 - c^{2}\right)^{\frac{3}{2}} \left(v - c\right)}{3
   \pi}\end{aligned}

   Variables: c_0 is c, v_1 is v.

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

Lemma ls_root_fact : forall u, u < 0 \/ (0 <= u /\ 0 <= sqrt u /\ sqrt u ^ 2 = u).
Proof.
  intro u; destruct (Rlt_or_le u 0); [left; assumption | right].
  repeat split; [assumption | apply sqrt_pos | rewrite pow2_sqrt; [reflexivity | assumption]].
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

Ltac ls_roots :=
  repeat match goal with
  | F : ?u < 0 \/ (0 <= ?u /\ _) |- _ => destruct F as [F | [_ [? ?]]]; [exfalso; solve [lra | nra] |]
  end.

Ltac ls_root u := let F := fresh "F" in pose proof (ls_root_fact u) as F.

Open Scope R_scope.
Theorem goal : forall (c_0 v_1 : R), ((- 1) < c_0) -> (c_0 < 1) -> (((1 + ((- 1) * (c_0 ^ 2))) > 0) /\ ((1 + ((- 1) * (c_0 ^ 2))) >= 0) /\ (((((- 8) / 3) * c_0 * (/ (PI)) * ((sqrt (1 + ((- 1) * (c_0 ^ 2)))) ^ 3)) + ((8 / 3) * v_1 * (/ (PI)) * (((1 / 4) * ((sqrt (1 + ((- 1) * (c_0 ^ 2)))) ^ 3)) + ((3 / 8) * ((sqrt (1 + ((- 1) * (c_0 ^ 2)))))) + ((3 / 8) * (/ ((sqrt (1 + ((- 1) * (c_0 ^ 2))))))) + (((- 3) / 4) * (c_0 ^ 2) * ((sqrt (1 + ((- 1) * (c_0 ^ 2)))))) + (((- 3) / 8) * (c_0 ^ 2) * (/ ((sqrt (1 + ((- 1) * (c_0 ^ 2)))))))))) = ((8 / 3) * (/ (PI)) * ((sqrt (1 + ((- 1) * (c_0 ^ 2)))) ^ 3) * (v_1 + ((- 1) * c_0))))).
Proof.
intros.
ls_root ((1 + ((- 1) * (c_0 ^ 2)))).
assert (V0 : (1 + ((- 1) * (c_0 ^ 2))) > 0) by ls_value.
assert (V1 : (1 + ((- 1) * (c_0 ^ 2))) >= 0) by ls_value.
ls_roots.
assert (E0 : (((- 1) * v_1) + ((- 2) * v_1 * (((sqrt (1 + ((- 1) * (c_0 ^ 2))))) ^ 2))) * (((- 1) + (((sqrt (1 + ((- 1) * (c_0 ^ 2))))) ^ 2) + (c_0 ^ 2))) = 0) by ls_multiple_of_zero.
repeat split; ls_equation.
Qed.
