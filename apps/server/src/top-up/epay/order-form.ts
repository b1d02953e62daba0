import type { SettingValues } from '@tollgate/api/settings'
import type { TopUpOrder } from '../../store/repositories/top-up-orders.ts'
import { moneyText } from '../amounts.ts'
import type { Checkout } from '../checkout.ts'
import { epaySignature } from './sign.ts'

type EpaySettings = Pick<
  SettingValues,
  'PayAddress' | 'EpayId' | 'EpayKey' | 'ServerAddress' | 'CustomCallbackAddress'
>

export const epayCentDigits = 2
/** Our names of methods, and the protocol's. */
const epayTypes: Readonly<Record<string, string>> = { zfb: 'alipay', wx: 'wxpay' }

/** The form that a browser sends to the provider's cashier. `amount` is what the user asked for. */
export function epayOrderForm(settings: EpaySettings, order: TopUpOrder, amount: number): Checkout {
  const fields = {
    pid: settings.EpayId,
    type: epayTypes[order.method] ?? 'wxpay',
    out_trade_no: order.tradeNo,
    notify_url: `${settings.CustomCallbackAddress || settings.ServerAddress}/api/user/epay/notify`,
    return_url: `${settings.ServerAddress}/log`,
    name: `TUC${amount}`,
    money: moneyText(order.moneyMinor, epayCentDigits),
    device: 'pc',
  }
  return {
    url: `${settings.PayAddress}/submit.php`,
    httpMethod: 'POST',
    fields: { ...fields, sign: epaySignature(fields, settings.EpayKey), sign_type: 'MD5' },
  }
}
