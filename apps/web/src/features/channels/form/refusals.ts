import { RefusedFields } from '../../../components/form/index.ts'
import { ApiError } from '../../../lib/api/api-client.ts'
import type { ChannelForm } from './channel-form.ts'

type Field = keyof ChannelForm

/** The field that a refusal of the server is about, by its code. */
export const fieldOfRefusal: Readonly<Record<string, Field>> = {
  channel_type_unknown: 'type',
  channel_type_unsupported: 'type',
  channel_name_and_key_required: 'name',
  channel_key_required: 'keys',
  channel_key_invalid: 'keys',
  channel_key_format_invalid: 'keys',
  channel_service_account_invalid: 'keys',
  channel_keys_too_many: 'keys',
  channel_keys_to_move: 'keys',
  channel_keys_unreadable: 'keys',
  channel_base_url_required: 'baseUrl',
  channel_base_url_invalid: 'baseUrl',
  channel_base_url_unresolved: 'baseUrl',
  channel_address_forbidden: 'baseUrl',
  channel_region_required: 'other',
  channel_region_default_required: 'other',
  channel_library_required: 'other',
  channel_account_required: 'other',
  channel_application_unknown: 'other',
  channel_models_required: 'models',
  channel_model_too_long: 'models',
  channel_mapping_cycle: 'modelMapping',
  channel_status_mapping_invalid: 'statusCodeMapping',
  channel_param_override_not_object: 'paramOverride',
  channel_param_override_stream: 'paramOverride',
  channel_operations_not_list: 'paramOverride',
  channel_operation_mode: 'paramOverride',
  channel_operation_field: 'paramOverride',
  channel_operation_condition: 'paramOverride',
  channel_setting_not_flag: 'setting',
  channel_proxy_invalid: 'setting',
  channel_proxy_forbidden: 'setting',
  channel_proxy_password_required: 'setting',
}

/** The sentence of a refusal at the field it is about; nothing where it is about none. */
export function fieldRefusal({ code, message }: ApiError): Readonly<Record<string, string>> {
  const field = fieldOfRefusal[code]
  return field === undefined ? {} : { [field]: message }
}

type NamedField = Extract<
  Field,
  | 'name'
  | 'baseUrl'
  | 'organization'
  | 'other'
  | 'models'
  | 'groups'
  | 'modelMapping'
  | 'statusCodeMapping'
  | 'paramOverride'
  | 'setting'
  | 'testModel'
  | 'priority'
  | 'weight'
  | 'tag'
>

/** Fields by their names on the wire, which begin the sentences of refusals that any field may meet. */
const fieldOfWireName: Readonly<Record<string, NamedField>> = {
  name: 'name',
  base_url: 'baseUrl',
  openai_organization: 'organization',
  other: 'other',
  models: 'models',
  group: 'groups',
  model_mapping: 'modelMapping',
  status_code_mapping: 'statusCodeMapping',
  param_override: 'paramOverride',
  setting: 'setting',
  test_model: 'testModel',
  priority: 'priority',
  weight: 'weight',
  tag: 'tag',
}

/**
 * The same refusal, assigned to its field and with the field's label where only its sentence names it.
 * @param labelOf what the form calls a field
 */
export function withField(error: unknown, labelOf: (field: NamedField) => string): unknown {
  if (!(error instanceof ApiError) || error.code in fieldOfRefusal) return error
  const [wireName = ''] = /^\w+/.exec(error.message) ?? []
  const field = fieldOfWireName[wireName]
  if (field === undefined) return error
  const message = labelOf(field) + error.message.slice(wireName.length)
  return new RefusedFields(message, { [field]: message })
}
