import type { ChannelCreateBody } from '@tollgate/api'
import { channelRefusedFields } from '@tollgate/api/refused-fields'
import { fieldsByCode, RefusedFields } from '../../../components/form/index.ts'
import { ApiError } from '../../../lib/api/api-client.ts'
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

/** The field that a refusal of the server is about, by its code. */
export const fieldOfRefusal = fieldsByCode<NamedField>(
  channelRefusedFields,
  Object.fromEntries(namedFields.map((field) => [formFields[field].wire, field])),
)

/** The sentence of a refusal at the field it is about; nothing where it is about none. */
export function fieldRefusal({ code, message }: ApiError): Readonly<Record<string, string>> {
  const field = fieldOfRefusal[code]
  return field === undefined ? {} : { [field]: message }
}

/**
 * The same refusal, assigned to its field and with the field's label where its sentence begins with the name in JSON.
 * @param labelOf what the form calls a field
 */
export function withField(error: unknown, labelOf: (field: NamedField) => string): unknown {
  if (!(error instanceof ApiError)) return error
  const [wireName = ''] = /^\w+/.exec(error.message) ?? []
  const field = formFieldOf(wireName)
  if (field === undefined) return error
  const message = labelOf(field) + error.message.slice(wireName.length)
  return new RefusedFields(message, { [field]: message })
}
