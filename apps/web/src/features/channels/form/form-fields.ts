import type { Channel, ChannelCreateBody } from '@tollgate/api'
import { channelFields } from '@tollgate/api/channel-fields'
import type { FormOf } from '../../../components/form/index.ts'

/** The sections of the form, from top to bottom. */
export const formSections = ['basics', 'models', 'routing', 'advanced'] as const
export type FormSectionName = (typeof formSections)[number]

interface FormFieldFacts {
  /** Its name in JSON. */
  readonly wire: keyof ChannelCreateBody
  readonly section: FormSectionName
}

/** The fields that have a control of their own, from top to bottom. */
const ownFields = {
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
  autoBan: { wire: 'auto_ban', section: 'advanced' },
  testModel: { wire: 'test_model', section: 'advanced' },
  organization: { wire: 'openai_organization', section: 'advanced' },
  paramOverride: { wire: 'param_override', section: 'advanced' },
  statusCodeMapping: { wire: 'status_code_mapping', section: 'advanced' },
  setting: { wire: 'setting', section: 'advanced' },
} as const satisfies Readonly<Record<string, FormFieldFacts>>
type OwnField = keyof typeof ownFields

/** Fields of a body that the form does not edit. */
type Unedited = 'mode' | 'status' | 'max_input_tokens'

/** A field that the form shows as the channel declares it, at the end of its section. It has the name of JSON. */
export type PlainField = Exclude<
  keyof ChannelCreateBody & keyof Channel,
  (typeof ownFields)[OwnField]['wire'] | Unedited
>

/** The plain fields in a body. */
export type PlainBody = Pick<Channel, PlainField>
/** The plain fields as typed. */
export type PlainValues = FormOf<PlainBody>

/** A field of the form that has a label. */
export type NamedField = OwnField | PlainField

/** The plain fields of each section, as the channel declares them. */
export const plainFields = channelFields.filter(({ section }) => section !== undefined)

/** Every field of the form, from top to bottom. */
export const formFields = Object.fromEntries(
  formSections.flatMap((section) => [
    ...Object.entries(ownFields).filter(([, facts]) => facts.section === section),
    ...plainFields
      .filter((each) => each.section === section)
      .map(({ name }) => [name, { wire: name, section }]),
  ]),
) as Readonly<Record<NamedField, FormFieldFacts>>

export const namedFields = Object.keys(formFields) as readonly NamedField[]

/** The field of the form that a field in JSON is edited by; nothing for one without a place in it. */
export function formFieldOf(wire: string): NamedField | undefined {
  return namedFields.find((field) => formFields[field].wire === wire)
}

/** Returns the problem of the topmost field. */
export function firstOf<Fault>(faults: Partial<Record<string, Fault>>): Fault | undefined {
  return namedFields.map((field) => faults[field]).find((each) => each !== undefined)
}
