import { channelRefusedFields } from '@tollgate/api/refused-fields'
import { fieldsByCode, RefusedFields } from '../../../components/form/index.ts'
import { ApiError } from '../../../lib/api/api-client.ts'
import { formFieldOf, formFields, type NamedField, namedFields } from './form-fields.ts'

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
