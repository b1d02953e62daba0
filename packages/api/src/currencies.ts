/**
 * Currencies that Stripe Checkout can be told to take, by ISO 4217 code, and their decimals. Those whose smallest unit
 * Stripe treats in a way of its own (ISK, TWD, HUF, UGX) and those of three decimals are left out.
 * https://docs.stripe.com/currencies#zero-decimal
 */
const decimals = {
  usd: 2,
  eur: 2,
  gbp: 2,
  cny: 2,
  hkd: 2,
  jpy: 0,
  krw: 0,
  sgd: 2,
  aud: 2,
  nzd: 2,
  cad: 2,
  chf: 2,
  sek: 2,
  nok: 2,
  dkk: 2,
  pln: 2,
  czk: 2,
  inr: 2,
  brl: 2,
  mxn: 2,
  thb: 2,
  myr: 2,
  php: 2,
  vnd: 0,
} as const

/** A currency that Stripe charges in, by its lower-case ISO 4217 code. */
export type Currency = keyof typeof decimals

export const stripeCurrencies = Object.keys(decimals) as readonly Currency[]

/** How many digits stand behind the point of an amount. */
export function decimalsOf(currency: Currency): number {
  return decimals[currency]
}
