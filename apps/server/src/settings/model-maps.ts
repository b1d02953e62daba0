import { pricePartOptions, tokenPriceKinds } from '@tollgate/api'
import type { SettingKey } from '@tollgate/api/settings'

/** Maps of figures with an entry for each model, by the name that callers use. Costs name models as upstreams do. */
export const modelFigures = [
  'ModelPrice',
  ...tokenPriceKinds.map(({ option }) => option),
] as const satisfies readonly SettingKey[]

/** All options with an entry for each model, by that name: figures, and terms of their own form. */
export const modelOptions = pricePartOptions satisfies readonly SettingKey[]
