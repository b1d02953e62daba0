/**
 * Currencies of Stripe Checkout, by ISO 4217 code, and their decimals. Leaves out those whose smallest unit Stripe
 * treats specially (ISK, TWD, HUF, UGX) and those of three decimals.
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

export type Currency = keyof typeof decimals

export const stripeCurrencies = Object.keys(decimals) as readonly Currency[]

/** Number of decimals of an amount. */
export function decimalsOf(currency: Currency): number {
  return decimals[currency]
}
