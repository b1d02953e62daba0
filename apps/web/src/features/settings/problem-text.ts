import type { SettingProblem } from '@tollgate/api/settings'
import { useTranslation } from 'react-i18next'

/** Refusals of a value that the catalogue knows without asking the server. */
const codes = [
  'option_not_flag',
  'option_not_integer',
  'option_not_number',
  'option_not_choice',
  'option_too_long',
  'option_too_many',
  'option_control_character',
  'option_not_url',
  'option_not_domain',
  'option_not_address_range',
  'option_not_json',
  'option_not_json_object',
  'option_not_json_array',
  'option_entry_name',
  'option_entry_number',
  'option_entry_integer',
  'option_entry_text',
  'option_entry_required',
  'option_entry_headers',
  'option_entry_rate_limits',
  'option_entry_video_price',
  'option_entry_tool_price',
  'option_entry_tier_ratio',
  'option_entry_length_step',
  'option_entry_request_limits',
  'option_entry_chat_link',
] as const

/** What is wrong with a value, as a sentence that stands beside its field. */
export function useProblemText(): (problem: SettingProblem) => string {
  const { t } = useTranslation('settings')
  return ({ code, details }) => {
    const known = codes.find((candidate) => candidate === code)
    return known ? t(`problem.${known}`, { ...details }) : t('save.check')
  }
}
