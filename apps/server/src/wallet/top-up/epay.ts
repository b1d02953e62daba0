import { createHash, timingSafeEqual } from 'node:crypto'
import type { SettingValues } from '@tollgate/api/settings'
import type { Services } from '../../services.ts'
import type { TopUpOrder } from '../../store/money/top-up-orders.ts'
import type { Quota } from '../../store/units.ts'
import { minorOf, moneyText } from './amounts.ts'
import type { CompleteOrder } from './complete-order.ts'
import type { MatchPayment, PaymentClaim } from './match-payment.ts'
import type { Checkout } from './orders.ts'
import type { createRefusedNotices } from './refused-notices.ts'

export type EpayFields = Readonly<Record<string, string>>

/**
 * Signature of the epay protocol: the fields but `sign`, `sign_type` and empty ones, by name, joined as `k=v` with `&`
 * (not URL-encoded), the merchant's key at the end, MD5 in lower-case hexadecimal.
 */
export function epaySignature(fields: EpayFields, key: string): string {
  const signed = Object.keys(fields)
    .filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  return createHash('md5')
    .update(signed + key)
    .digest('hex')
}

/**
 * Verifies the signature of fields, compared in constant time. An empty key signs nothing. A value with `&` in it is refused: joined
 * without encoding, it could pass for other fields than those that were signed.
 */
export function isSignedByEpay(fields: EpayFields, key: string): boolean {
  const provided = Buffer.from(fields['sign']?.toLowerCase() ?? '')
  if (key === '' || Object.entries(fields).some((field) => field.join('').includes('&'))) return false
  const right = Buffer.from(epaySignature(fields, key))
  return provided.length === right.length && timingSafeEqual(provided, right)
}

/** Creates the check of a notice by the key that is set. What names no order is no notice. */
export function createVerifyEpay({ settings, refused }: Pick<Dependencies, 'settings' | 'refused'>) {
  return (fields: EpayFields): boolean => {
    const isSigned = isSignedByEpay(fields, settings.current.EpayKey)
    if (!isSigned && fields['out_trade_no']) refused('epay', 'signature')
    return isSigned
  }
}

type EpaySettings = Pick<
  SettingValues,
  | 'PayAddress'
  | 'EpayId'
  | 'EpayKey'
  | 'ServerAddress'
  | 'CustomCallbackAddress'
  | 'DisplayInCurrencyEnabled'
  | 'QuotaPerUnit'
>

const epayCentDigits = 2
/** Our names of methods, and the protocol's. */
const epayTypes: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay' }

/** The form that a browser sends to the provider's cashier. */
export function epayOrderForm(settings: EpaySettings, order: TopUpOrder): Checkout {
  const fields = {
    pid: settings.EpayId,
    type: epayTypes[order.method] ?? 'wxpay',
    out_trade_no: order.tradeNo,
    notify_url: `${settings.CustomCallbackAddress || settings.ServerAddress}/api/user/epay/notify`,
    return_url: `${settings.ServerAddress}/log`,
    name: `TUC${amountOf(settings, order.quota)}`,
    money: moneyText(order.moneyMinor, epayCentDigits),
    device: 'pc',
  }
  return {
    url: `${settings.PayAddress}/submit.php`,
    httpMethod: 'POST',
    fields: { ...fields, sign: epaySignature(fields, settings.EpayKey), sign_type: 'MD5' },
  }
}

/** The amount that was ordered: units of balance where money is shown in currency, points of quota where it is not. */
function amountOf({ DisplayInCurrencyEnabled, QuotaPerUnit }: EpaySettings, quota: Quota): number {
  return DisplayInCurrencyEnabled ? Math.round(quota / QuotaPerUnit) : quota
}

/** The responses of the epay protocol: the provider sends the notice again unless it receives `success`. */
export type EpayReply = 'success' | 'fail'

interface Dependencies extends Pick<Services, 'settings'> {
  readonly matchPayment: MatchPayment
  readonly completeOrder: CompleteOrder
  readonly refused: ReturnType<typeof createRefusedNotices>
}

/**
 * Takes a notice whose signature was verified. Returns `success` only when the order's money is credited, now or before,
 * so that the provider repeats a notice that could not be credited.
 */
export function createEpayNotices({ settings, matchPayment, completeOrder, refused }: Dependencies) {
  return async (notice: EpayFields): Promise<EpayReply> => {
    if (notice['trade_status'] !== 'TRADE_SUCCESS') return 'fail'
    if (notice['pid'] !== settings.current.EpayId) {
      refused('epay', 'merchant')
      return 'fail'
    }
    const providerTradeNo = notice['trade_no'] ?? ''
    const claim: PaymentClaim = {
      provider: 'epay',
      event: notice['trade_status'],
      tradeNo: notice['out_trade_no'] ?? '',
      providerTradeNo,
      paymentId: '',
      moneyMinor: minorOf(notice['money'] ?? '', epayCentDigits),
      currency: 'cny',
    }
    const match = await matchPayment(claim)
    if (match === 'unknown') refused('epay', 'order')
    if (typeof match === 'string') return 'fail'
    if (await completeOrder(match.order, { providerTradeNo })) return 'success'
    // Paid before: by this trade, or just now by another one.
    return typeof (await matchPayment(claim)) === 'string' ? 'fail' : 'success'
  }
}
