/** Quota is an integer. 64 bits in the store, a safe integer here; never a float. */
export type Quota = number
/** Unix seconds. */
export type Seconds = number
