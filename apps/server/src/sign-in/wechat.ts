import { z } from 'zod'
import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import { fetchFromProvider, readResponse } from './provider-request.ts'
import type { ProviderIdentity } from './providers.ts'

const response = z.object({ success: z.boolean(), data: z.string().nullish() })

/** Asks the operator's WeChat server whose code it is: the number that its account showed to whoever wrote to it. */
export async function identifyByWeChat({ current }: SettingsReader, code: string): Promise<ProviderIdentity> {
  if (code.trim() === '') throw new Refusal('wechat_code_invalid')
  const url = `${current.WeChatServerAddress}/api/wechat/user?code=${encodeURIComponent(code.trim())}`
  const requested = await fetchFromProvider({ url, headers: { authorization: current.WeChatServerToken } })
  const { success, data } = readResponse(requested, response)
  if (!success || !data) throw new Refusal('wechat_code_invalid')
  return {
    provider: 'wechat',
    subject: data,
    issuers: [],
    displayName: 'WeChat User',
    preferredUsername: '',
    email: '',
  }
}
