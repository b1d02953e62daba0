import { useTranslation } from 'react-i18next'
import type { ListFilter } from '../../components/list/index.ts'
import { channelChoicesQuery } from './api.ts'

/** The channel that did the work, for administrators. */
export function useChannelFilter(admin: boolean): readonly ListFilter[] {
  const { t } = useTranslation('tasks')
  const filter: ListFilter = {
    name: 'channel',
    label: t('column.channel'),
    placeholder: t('filter.chooseChannel'),
    choices: channelChoicesQuery,
    typed: channelNumber,
  }
  return admin ? [filter] : []
}

/** `7` and `#7`. */
function channelNumber(text: string): string | undefined {
  return /^#?(\d{1,9})$/.exec(text)?.[1]
}
