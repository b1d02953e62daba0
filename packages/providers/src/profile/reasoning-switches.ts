import type { JsonObject } from '@tollgate/formats'
import type { Effort, ReasoningSwitch } from './target-profile.ts'

/** Members of a body that switch thinking, for one kind of switch. */
export interface SwitchForm {
  /** Members of the body, or of an object in it, in which callers of the vendor's own format say it themselves. */
  readonly own: readonly string[]
  readonly off: JsonObject
  /** The effort stands beside the switch, unless it is a part of it. */
  on(effort: Effort | undefined): JsonObject
  /** The effort is a part of the switch. */
  readonly holdsEffort?: true
}

/** Switches of Chat Completions; the others have an effort alone, or nothing. The rows that use them name the source. */
export const switchForms: Readonly<Partial<Record<ReasoningSwitch, SwitchForm>>> = {
  'thinking-type': {
    own: ['thinking'],
    off: { thinking: { type: 'disabled' } },
    on: () => ({ thinking: { type: 'enabled' } }),
  },
  'enable-thinking': {
    own: ['enable_thinking'],
    off: { enable_thinking: false },
    on: () => ({ enable_thinking: true }),
  },
  'template-enable-thinking': {
    own: ['chat_template_kwargs.enable_thinking'],
    off: { chat_template_kwargs: { enable_thinking: false } },
    on: () => ({ chat_template_kwargs: { enable_thinking: true } }),
  },
  'template-thinking': {
    own: ['chat_template_kwargs.thinking'],
    off: { chat_template_kwargs: { thinking: false } },
    on: () => ({ chat_template_kwargs: { thinking: true } }),
  },
  'reasoning-object': {
    own: ['reasoning.enabled', 'reasoning.effort', 'reasoning.max_tokens'],
    off: { reasoning: { enabled: false } },
    on: (effort) => ({ reasoning: effort === undefined ? { enabled: true } : { effort } }),
    holdsEffort: true,
  },
  'disable-reasoning': {
    own: ['disable_reasoning'],
    off: { disable_reasoning: true },
    on: () => ({ disable_reasoning: false }),
  },
  'prompt-mode': {
    own: ['prompt_mode'],
    off: {},
    on: () => ({ prompt_mode: 'reasoning' }),
  },
}
