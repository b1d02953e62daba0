import { accountRefusals } from './account.ts'
import { channelRefusals } from './channel.ts'
import { commonRefusals } from './common.ts'
import { logRefusals } from './log.ts'
import { mailRefusals } from './mail.ts'
import { optionRefusals } from './option.ts'
import { releaseRefusals } from './release.ts'
import { selfServiceRefusals } from './self-service.ts'
import { signInRefusals } from './sign-in.ts'
import { tokenRefusals } from './token.ts'
import { userAdminRefusals } from './user-admin.ts'
import { walletRefusals } from './wallet.ts'

/** Every refusal the console API can give: a stable code and its sentence in both languages. One file per area. */
export const refusalTexts = {
  ...commonRefusals,
  ...accountRefusals,
  ...selfServiceRefusals,
  ...mailRefusals,
  ...signInRefusals,
  ...optionRefusals,
  ...releaseRefusals,
  ...tokenRefusals,
  ...channelRefusals,
  ...walletRefusals,
  ...logRefusals,
  ...userAdminRefusals,
}

export type RefusalCode = keyof typeof refusalTexts

export { fillText, type Language, type LocalizedTexts } from './localized-texts.ts'
