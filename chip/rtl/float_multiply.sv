// Multiplies two float32 numbers.
//
// Rounded to nearest, ties to even; operands and results below 2^-126 are zeros of their sign; what
// has no value is the one NaN 0x7fc00000.
//
// Latency: 3 cycles, a new pair in each: `product` is that of the operands of three cycles before.

module float_multiply (
    input  logic        clock,
    input  logic [31:0] a,
    input  logic [31:0] b,
    output logic [31:0] product
);

  // ---- Stage 1: the product of the mantissas, and what kind of number it will be ----

  logic a_zero, b_zero, a_infinite, b_infinite, a_nan, b_nan;
  assign a_zero = a[30:23] == 8'd0;
  assign b_zero = b[30:23] == 8'd0;
  assign a_infinite = a[30:0] == 31'h7f800000;
  assign b_infinite = b[30:0] == 31'h7f800000;
  assign a_nan = a[30:23] == 8'd255 && a[22:0] != 23'd0;
  assign b_nan = b[30:23] == 8'd255 && b[22:0] != 23'd0;

  logic        sign_1, nan_1, infinite_1, zero_1;
  logic [ 8:0] exponent_1;  // biased twice
  logic [47:0] mantissa_1;

  always_ff @(posedge clock) begin
    sign_1 <= a[31] ^ b[31];
    nan_1 <= a_nan || b_nan || (a_infinite && b_zero) || (a_zero && b_infinite);
    infinite_1 <= a_infinite || b_infinite;
    zero_1 <= a_zero || b_zero;
    exponent_1 <= {1'b0, a[30:23]} + {1'b0, b[30:23]};
    mantissa_1 <= {24'd0, 1'b1, a[22:0]} * {24'd0, 1'b1, b[22:0]};
  end

  // ---- Stage 2: 24 bits, the bit below them, and whether anything is below that ----

  logic        sign_2, nan_2, infinite_2, zero_2, guard_2, sticky_2;
  logic [ 8:0] exponent_2;
  logic [22:0] mantissa_2;  // without the first one

  always_ff @(posedge clock) begin
    sign_2 <= sign_1;
    nan_2 <= nan_1;
    infinite_2 <= infinite_1;
    zero_2 <= zero_1;
    exponent_2 <= exponent_1 + {8'd0, mantissa_1[47]};
    mantissa_2 <= mantissa_1[47] ? mantissa_1[46:24] : mantissa_1[45:23];
    guard_2 <= mantissa_1[47] ? mantissa_1[23] : mantissa_1[22];
    sticky_2 <= (mantissa_1[21:0] != 22'd0) || (mantissa_1[47] && mantissa_1[22]);
  end

  // ---- Stage 3: rounded, flushed or infinite ----

  logic        up;
  logic [23:0] rounded;  // the bits below the first one, and a carry
  logic [ 8:0] exponent;
  logic [ 7:0] biased;

  assign up = guard_2 && (sticky_2 || mantissa_2[0]);
  assign rounded = {1'b0, mantissa_2} + {23'd0, up};
  assign exponent = exponent_2 + {8'd0, rounded[23]};
  assign biased = exponent[7:0] - 8'd127;

  always_ff @(posedge clock) begin
    if (nan_2) product <= 32'h7fc00000;
    else if (infinite_2) product <= {sign_2, 31'h7f800000};
    else if (zero_2 || exponent < 9'd128) product <= {sign_2, 31'd0};
    else if (exponent > 9'd381) product <= {sign_2, 31'h7f800000};
    else product <= {sign_2, biased, rounded[22:0]};
  end

endmodule
