/**
 * Switches of a channel, in its `setting`, for fields by which callers change what the provider charges. A field that is
 * neither priced for the model nor allowed by its switch is refused, or left out by `strip_unpriced_fields`.
 */
export const costSwitches = [
  'allow_service_tier',
  'allow_speed',
  'allow_inference_geo',
  'allow_hosted_tools',
  'allow_other_models',
  'allow_long_context',
  'allow_long_cache',
] as const
export type CostSwitch = (typeof costSwitches)[number]

export const stripSwitch = 'strip_unpriced_fields'

/** Switches for fields that cost nothing: what they hold back is left out of the body without a word. */
export const privacySwitches = [
  'disable_store',
  'allow_safety_identifier',
  'allow_include_obfuscation',
] as const
export type PrivacySwitch = (typeof privacySwitches)[number]
