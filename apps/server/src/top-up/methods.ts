import { type Currency, decimalsOf, type TopUpInfo, type TopUpProvider } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { minimumAmount, topUpRatio } from './amounts.ts'

/** A way to pay that is offered. */
export interface PaymentMethod {
  /** As consoles name it. */
  readonly method: string
  readonly provider: TopUpProvider
  readonly currency: Currency
  readonly decimals: number
  /** Paid for one unit of balance, before the group's ratio. */
  readonly price: number
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

/** Names of methods, and under which of them each is offered. */
const aliases: Readonly<Record<string, string>> = { alipay: 'zfb', wxpay: 'wx' }

/** Those whose provider is set up, in the order in which they are offered. */
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

/** Not without the secret of its events: a payment could never be credited. */
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

/** How many times the least amount. */
const presetMultiples = [1, 2, 5, 10, 20, 50, 100]

/** What a wallet page offers to a user of `group`. */
export function walletInfo(settings: SettingValues, group: string): TopUpInfo {
  const methods = offeredMethods(settings)
  const minimum = minimumAmount(settings)
  return {
    enable_online_topup: methods.length > 0,
    methods: methods.map(({ method, provider, currency, price }) => ({ method, provider, currency, price })),
    group_ratio: topUpRatio(settings, group),
    display_in_currency: settings.DisplayInCurrencyEnabled,
    quota_per_unit: settings.QuotaPerUnit,
    min_amount: minimum,
    presets: presetMultiples.map((times) => times * minimum),
    top_up_link: settings.TopUpLink,
  }
}
