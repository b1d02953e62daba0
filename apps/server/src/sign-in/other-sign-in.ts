import type { AttemptLimiter } from '../users/auth/attempt-limiter.ts'
import type { LoginContext } from '../users/auth/login-flow.ts'
import { withProviderErrors } from './oauth-sign-in.ts'
import { refuseDisabled } from './providers.ts'
import type { SignedIn, SignIn } from './sign-in.ts'
import { identifyByTelegram, type TelegramDependencies, type WidgetFields } from './telegram.ts'
import { identifyByWeChat } from './wechat.ts'

/** Sign-in and binding by proofs that the person's own page sends: no redirect, no state. */
export interface OtherSignIn {
  byWeChat(code: string, place: LoginContext): Promise<SignedIn>
  bindWeChat(code: string, userId: number): Promise<void>
  byTelegram(fields: WidgetFields, place: LoginContext): Promise<SignedIn>
  bindTelegram(fields: WidgetFields, userId: number): Promise<void>
  proveByWeChat(code: string, userId: number): Promise<void>
  proveByTelegram(fields: WidgetFields, userId: number): Promise<void>
}

interface Dependencies extends TelegramDependencies {
  readonly signIn: SignIn
  readonly tries: AttemptLimiter
}

export function createOtherSignIn(deps: Dependencies): OtherSignIn {
  const { settings, signIn, tries } = deps
  const wechat = async (code: string) => {
    refuseDisabled('wechat', settings)
    const identify = () => identifyByWeChat(settings, code)
    return withProviderErrors('wechat', () => tries.counted({ kind: 'wechat-code' }, identify))
  }
  const telegram = async (fields: WidgetFields) => {
    refuseDisabled('telegram', settings)
    return identifyByTelegram(deps, fields)
  }
  return {
    byWeChat: async (code, place) => signIn.signIn(await wechat(code), '', place),
    bindWeChat: async (code, userId) => signIn.bind(await wechat(code), userId),
    byTelegram: async (fields, place) => signIn.signIn(await telegram(fields), '', place),
    bindTelegram: async (fields, userId) => signIn.bind(await telegram(fields), userId),
    proveByWeChat: async (code, userId) => signIn.prove(await wechat(code), userId),
    proveByTelegram: async (fields, userId) => signIn.prove(await telegram(fields), userId),
  }
}
