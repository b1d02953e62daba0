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
/** A switch of a channel that lets a costly field through to the upstream. */
export type CostSwitch = (typeof costSwitches)[number]

export const stripSwitch = 'strip_unpriced_fields'

/** Switches that one type of channel knows alone, each with the number of its type. */
export const typeSwitches = {
  /** Azure: deployments are called by the names of their models without dots. */
  strip_deployment_dots: 3,
} as const satisfies Readonly<Record<string, number>>
/** A switch that channels of one type alone have. */
export type TypeSwitch = keyof typeof typeSwitches

/** Switches for fields that cost nothing: what they hold back is left out of the body without a word. */
export const privacySwitches = [
  'disable_store',
  'allow_safety_identifier',
  'allow_include_obfuscation',
] as const
/** A switch that decides whether a free field of the caller reaches the upstream. */
export type PrivacySwitch = (typeof privacySwitches)[number]
