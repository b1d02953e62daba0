import { accountRefusals } from './accounts.ts'
import { channelRefusals } from './channel.ts'
import { commonRefusals } from './common.ts'
import { operationRefusals } from './operation.ts'
import { walletRefusals } from './wallet.ts'

export { fillText, type Language, type LocalizedTexts } from './localized-texts.ts'

/** Every refusal the console API can give: a stable code and its sentence in both languages. One file per area. */
export const refusalTexts = {
  ...commonRefusals,
  ...accountRefusals,
  ...channelRefusals,
  ...walletRefusals,
  ...operationRefusals,
}

/** Code of a refusal, as the console's callers read it; each has a sentence in both languages. */
export type RefusalCode = keyof typeof refusalTexts
