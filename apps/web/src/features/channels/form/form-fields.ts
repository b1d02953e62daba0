import type { ChannelCreateBody } from '@tollgate/api'
import type { ChannelForm } from './channel-form.ts'

/** The sections of the form, from top to bottom. */
export const formSections = ['basics', 'models', 'routing', 'advanced'] as const
export type FormSectionName = (typeof formSections)[number]

/** A field of the form that has a label of its own. */
export type NamedField = Exclude<keyof ChannelForm, 'separate'>

interface FormFieldFacts {
  /** Its name in JSON. */
  readonly wire: keyof ChannelCreateBody
  readonly section: FormSectionName
}

/** Every field of the form, from top to bottom. */
export const formFields = {
  type: { wire: 'type', section: 'basics' },
  name: { wire: 'name', section: 'basics' },
  keys: { wire: 'key', section: 'basics' },
  baseUrl: { wire: 'base_url', section: 'basics' },
  other: { wire: 'other', section: 'basics' },
  models: { wire: 'models', section: 'models' },
  modelMapping: { wire: 'model_mapping', section: 'models' },
  groups: { wire: 'group', section: 'routing' },
  priority: { wire: 'priority', section: 'routing' },
  weight: { wire: 'weight', section: 'routing' },
  tag: { wire: 'tag', section: 'routing' },
  autoBan: { wire: 'auto_ban', section: 'advanced' },
  testModel: { wire: 'test_model', section: 'advanced' },
  organization: { wire: 'openai_organization', section: 'advanced' },
  paramOverride: { wire: 'param_override', section: 'advanced' },
  statusCodeMapping: { wire: 'status_code_mapping', section: 'advanced' },
  setting: { wire: 'setting', section: 'advanced' },
} as const satisfies Readonly<Record<NamedField, FormFieldFacts>>

export const namedFields = Object.keys(formFields) as readonly NamedField[]

/** The field of the form that a field in JSON is edited by; nothing for one without a place in it. */
export function formFieldOf(wire: string): NamedField | undefined {
  return namedFields.find((field) => formFields[field].wire === wire)
}
