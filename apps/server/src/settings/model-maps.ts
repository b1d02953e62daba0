import type { SettingKey } from '@tollgate/api/settings'

/** Maps of figures with an entry for each model, by the name that callers use. Costs name models as upstreams do. */
export const modelFigures = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
  'ImageCompletionRatio',
] as const satisfies readonly SettingKey[]

/** All options with an entry for each model, by that name: figures, and terms of their own form. */
export const modelOptions = [
  ...modelFigures,
  'VideoPrice',
  'ToolPrice',
  'TierRatio',
  'LengthPrice',
] as const satisfies readonly SettingKey[]
