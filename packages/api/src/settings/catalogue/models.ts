import { decimal, flag, integer, json } from '../kinds.ts'
import { forAdmins } from '../placement.ts'
import { modelHeaders, numberMap, textList, textMap } from '../shapes.ts'

const defaultClaudeMaxTokens = 8192

const global = forAdmins('global', 'operates', {
  /** Bodies go upstream untouched: model mapping and parameter overrides stop working. */
  'global.pass_through_request_enabled': flag({ default: false }),
  /** Comments that keep a silent stream alive. */
  'general_setting.ping_interval_enabled': flag({ default: false }),
  'general_setting.ping_interval_seconds': integer({ default: 60, min: 1, max: 3600 }),
  /** Hours for which responses of the Responses API are stored for their callers; 0 deletes them at once. */
  StoredResponseHours: integer({ default: 24, min: 0, max: 720 }),
})

const gemini = forAdmins('gemini', 'operates', {
  'gemini.safety_settings': json(textMap({ maxLength: 100 }), {
    default: 'OFF',
    HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE',
  }),
  'gemini.version_settings': json(textMap({ maxLength: 100, restored: { default: 'v1beta' } }), {
    default: 'v1beta',
    'gemini-1.0-pro': 'v1',
  }),
  /** Models that may respond with images. */
  'gemini.supported_imagine_models': json(textList({ maxLength: 200 }), [
    'gemini-2.0-flash-exp-image-generation',
    'gemini-2.0-flash-exp',
    'gemini-2.5-flash-image',
    'gemini-3-pro-image',
    'gemini-3.1-flash-image',
  ]),
  /** Lets the end of a model's name control reasoning: `-thinking`, `-thinking-1024`, `-nothinking`, `-high`. */
  'gemini.thinking_adapter_enabled': flag({ default: true }),
  /** Share of the maximum for reasoning, where the name has no budget. */
  'gemini.thinking_adapter_budget_tokens_percentage': decimal({ default: 0.6, min: 0.002, max: 1 }),
})

const claude = forAdmins('claude', 'operates', {
  'claude.model_headers_settings': json(modelHeaders, {}),
  /** Sent when the caller names no maximum; the entry `default` serves every model without its own. */
  'claude.default_max_tokens': json(
    numberMap({ integer: true, min: 1, max: 10_000_000, restored: { default: defaultClaudeMaxTokens } }),
    { default: defaultClaudeMaxTokens },
  ),
  'claude.thinking_adapter_enabled': flag({ default: true }),
  /** Share of the maximum for reasoning. */
  'claude.thinking_adapter_budget_tokens_percentage': decimal({ default: 0.8, min: 0.1, max: 1 }),
})

export const modelSettings = { ...global, ...gemini, ...claude }
