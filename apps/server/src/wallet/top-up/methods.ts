import { type Currency, decimalsOf, type TopUpInfo, type TopUpProvider } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { minAmount, topUpRatio, type UnitPrice } from './amounts.ts'

/** A way to pay that is offered. */
export interface PaymentMethod extends UnitPrice {
  /** The name in consoles. */
  readonly method: string
  readonly provider: TopUpProvider
  readonly currency: Currency
}

type PaymentSettings = Pick<
  SettingValues,
  | 'PayAddress'
  | 'EpayId'
  | 'EpayKey'
  | 'Price'
  | 'StripeSecretKey'
  | 'StripeWebhookSecret'
  | 'StripeCurrency'
  | 'StripePrice'
>

/** Names of methods, and the method under which each is offered. */
const aliases: Readonly<Record<string, string>> = { alipay: 'zfb', wxpay: 'wx' }

/** Methods with a configured provider, in the order in which they are offered. */
export function offeredMethods(settings: PaymentSettings): readonly PaymentMethod[] {
  return [...(isEpaySetUp(settings) ? epayMethods(settings) : []), ...stripeMethods(settings)]
}

export function findMethod(settings: PaymentSettings, name: string): PaymentMethod | undefined {
  const wanted = aliases[name] ?? name
  return offeredMethods(settings).find(({ method }) => method === wanted)
}

function isEpaySetUp({ PayAddress, EpayId, EpayKey }: PaymentSettings): boolean {
  return PayAddress !== '' && EpayId !== '' && EpayKey !== ''
}

function epayMethods({ Price }: PaymentSettings): PaymentMethod[] {
  return ['zfb', 'wx'].map((method) => ({
    method,
    provider: 'epay',
    currency: 'cny',
    decimals: decimalsOf('cny'),
    price: Price,
  }))
}

/** Requires the secret of its events: without it a payment could never be credited. */
function stripeMethods(settings: PaymentSettings): PaymentMethod[] {
  const { StripeSecretKey, StripeWebhookSecret, StripeCurrency, StripePrice } = settings
  if (StripeSecretKey === '' || StripeWebhookSecret === '') return []
  return [
    {
      method: 'stripe',
      provider: 'stripe',
      currency: StripeCurrency,
      decimals: decimalsOf(StripeCurrency),
      price: StripePrice,
    },
  ]
}

/** Multiples of the least amount. */
const presetMultiples = [1, 2, 5, 10, 20, 50, 100]

/** The offers of the wallet page to a user of `group`. */
export function walletInfo(settings: SettingValues, group: string): TopUpInfo {
  const methods = offeredMethods(settings)
  const min = minAmount(settings)
  return {
    enable_online_topup: methods.length > 0,
    methods: methods.map(({ method, provider, currency, price }) => ({ method, provider, currency, price })),
    group_ratio: topUpRatio(settings, group),
    display_in_currency: settings.DisplayInCurrencyEnabled,
    quota_per_unit: settings.QuotaPerUnit,
    min_amount: min,
    presets: presetMultiples.map((times) => times * min),
    top_up_link: settings.TopUpLink,
  }
}
