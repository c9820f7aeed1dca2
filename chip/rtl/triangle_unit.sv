// The triangle intersection unit: the three edges of a triangle, already mapped by the other one's
// matrix, against the unit triangle (condition 4), with one multiplier and one adder.
//
// Interface: `start` is high in the first cycle. In each cycle the unit names a line (5 edge +
// pair) and gets the two numbers of that line in the same cycle. `done` is high in the last cycle,
// with `pierced`. Edges are tested one after the other, until one pierces.
//
// Latency: 2 cycles for an edge that does not cross the plane z = 0, otherwise 16:
//
//   cycle   0         1        2 to 5             7          9          12         15
//           P_z, Q_z  signs    four more pairs    x is       y is       x + y is   comparisons
//                              are read, z is     begun      begun      begun
//                              begun
//
//   pairs 1 to 4: (P_x, Q_z), (Q_x, P_z), (P_y, Q_z), (Q_y, P_z)
//   x = P_x Q_z - Q_x P_z, y likewise, z = Q_z - P_z; products come 4 cycles after their pair

module triangle_unit (
    input  logic        clock,
    input  logic        reset,
    input  logic        start,
    input  logic [31:0] first,
    input  logic [31:0] second,
    output logic [ 3:0] line,
    output logic        done,
    output logic        pierced
);

  // ---- Which edge, and which cycle of it ----

  logic       running;
  logic [1:0] edge_number;
  logic [3:0] step, step_stored;
  logic       crosses, contained, edge_done;

  assign step = running ? step_stored : 4'd0;
  assign edge_done = running && ((step == 4'd1 && !crosses) || step == 4'd15);
  assign pierced = step == 4'd15 && contained;
  assign done = edge_done && (pierced || edge_number == 2'd2);

  always_ff @(posedge clock) begin
    if (reset || done) running <= 1'b0;
    else if (start) running <= 1'b1;
    if (start) edge_number <= 2'd0;
    else if (edge_done) edge_number <= edge_number + 2'd1;
    step_stored <= edge_done ? 4'd0 : step + 4'd1;
  end

  // ---- Operands ----

  logic [3:0] pair, first_line;
  assign pair = (step >= 4'd2 && step <= 4'd5) ? step - 4'd1 : 4'd0;
  always_comb begin
    case (running ? edge_number : 2'd0)
      2'd0: first_line = 4'd0;
      2'd1: first_line = 4'd5;
      default: first_line = 4'd10;
    endcase
  end
  assign line = first_line + pair;

  logic [31:0] p_z, q_z, factor_0, factor_1;
  always_ff @(posedge clock) begin
    if (step == 4'd0) {p_z, q_z} <= {first, second};
    {factor_0, factor_1} <= {first, second};
  end

  // ---- The signs of P_z and Q_z: what is not a number has none, and is tested ----

  logic p_nan, q_nan, p_zero, q_zero, not_below, not_above;
  assign p_nan = p_z[30:0] > 31'h7f800000;
  assign q_nan = q_z[30:0] > 31'h7f800000;
  assign p_zero = p_z[30:23] == 8'd0;
  assign q_zero = q_z[30:23] == 8'd0;
  assign not_below = (p_zero || !p_z[31]) && (q_zero || !q_z[31]);
  assign not_above = (p_zero || p_z[31]) && (q_zero || q_z[31]);
  assign crosses = p_nan || q_nan || !(not_below || not_above);

  // ---- The multiplier and the adder ----

  logic [31:0] product, product_before, term_0, term_1, sum, x, y, z;
  logic        subtract;

  float_multiply multiply (
      .clock(clock),
      .a(factor_0),
      .b(factor_1),
      .product(product)
  );

  always_comb begin
    term_0 = product_before;
    term_1 = product;
    subtract = 1'b1;
    if (step == 4'd2) begin
      term_0 = q_z;
      term_1 = p_z;
    end else if (step == 4'd12) begin
      term_0 = x;
      term_1 = sum;
      subtract = 1'b0;
    end
  end

  float_add #(
      .STAGES(3)
  ) add (
      .clock(clock),
      .a(term_0),
      .b(term_1),
      .subtract(subtract),
      .sum(sum)
  );

  always_ff @(posedge clock) begin
    product_before <= product;
    if (step == 4'd5) z <= sum;
    if (step == 4'd10) x <= sum;
    if (step == 4'd12) y <= sum;
  end

  // ---- Condition 4, in which `sum` is x + y ----

  logic x_nan, y_nan, z_nan, sum_nan, x_zero, y_zero, rising, above, below;
  assign x_zero = x[30:23] == 8'd0;
  assign y_zero = y[30:23] == 8'd0;
  assign x_nan = x[30:0] > 31'h7f800000;
  assign y_nan = y[30:0] > 31'h7f800000;
  assign z_nan = z[30:0] > 31'h7f800000;
  assign sum_nan = sum[30:0] > 31'h7f800000;
  assign rising = !z_nan && !z[31] && z[30:23] != 8'd0;

  float_greater sum_above_z (
      .a(sum),
      .b(z),
      .greater(above)
  );
  float_greater sum_below_z (
      .a(z),
      .b(sum),
      .greater(below)
  );

  always_comb begin
    if (x_nan || y_nan || z_nan || sum_nan) contained = 1'b0;
    else if (rising) contained = (x_zero || !x[31]) && (y_zero || !y[31]) && !above;
    else contained = (x_zero || x[31]) && (y_zero || y[31]) && !below;
  end

endmodule
