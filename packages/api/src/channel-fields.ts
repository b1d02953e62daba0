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

/** Switches of a single type of channel, each with the number of its type. */
export const typeSwitches = {
  /** Azure: deployments are called by the names of their models without dots. */
  strip_deployment_dots: 3,
} as const satisfies Readonly<Record<string, number>>
export type TypeSwitch = keyof typeof typeSwitches

/** Switches for fields that cost nothing: the gateway removes switched-off fields from the body silently. */
export const privacySwitches = [
  'disable_store',
  'allow_safety_identifier',
  'allow_include_obfuscation',
] as const
export type PrivacySwitch = (typeof privacySwitches)[number]

/**
 * Member of a channel's `setting` with its costs as a factor of the vendors' list prices. 1 when absent; 0 for a free channel.
 */
export const costFactorKey = 'cost_factor'
export const largestCostFactor = 100

const allMembers = (): readonly string[] => [
  'force_format',
  'thinking_to_content',
  'proxy',
  'pass_through_body_enabled',
  'pass_through_body',
  'system_prompt',
  'system_prompt_override',
  'requests_per_minute',
  'tokens_per_minute',
  'concurrency',
  costFactorKey,
  stripSwitch,
  ...Object.keys(typeSwitches),
  ...costSwitches,
  ...privacySwitches,
]

/** All members of a channel's `setting` that mean something. */
// Pure, so that pages which do not need them do not load them.
export const channelSettingMembers = /* @__PURE__ */ allMembers()
