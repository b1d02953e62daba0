import { accountRefusals } from './accounts.ts'
import { channelRefusals } from './channel.ts'
import { commonRefusals } from './common.ts'
import { operationRefusals } from './operation.ts'
import { walletRefusals } from './wallet.ts'

export {
  fillText,
  type Language,
  type LocalizedTexts,
  listSeparators,
  listText,
  type TextDetails,
} from './localized-texts.ts'
export {
  type PriceDetails,
  type PricedPart,
  type PriceUnit,
  priceTexts,
  wayOfLength,
} from './price-figures.ts'

/** Every refusal the console API can give: a stable code and its sentence in both languages. One file per area. */
export const refusalTexts = {
  ...commonRefusals,
  ...accountRefusals,
  ...channelRefusals,
  ...walletRefusals,
  ...operationRefusals,
}

/** The code of a refusal, for programs. */
export type RefusalCode = keyof typeof refusalTexts
