import { logTypes } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import type { ListFilter } from '../../../components/list/index.ts'
import { channelChoicesQuery, groupChoicesQuery, modelChoicesQuery, tokenChoicesQuery } from '../api.ts'
import { modelPattern } from '../log-filter.ts'

const asTyped = (text: string) => text

/** What narrows the log beside its times; channel and person are for administrators alone. */
export function useLogFilters(admin: boolean): readonly ListFilter[] {
  const { t } = useTranslation('logs')
  const types = Object.entries(logTypes) as [keyof typeof logTypes, number][]
  const everybody: readonly ListFilter[] = [
    {
      name: 'type',
      label: t('filter.type'),
      placeholder: t('filter.chooseType'),
      choices: types.map(([name, type]) => ({ value: String(type), label: t(`type.${name}`) })),
    },
    {
      name: 'model',
      label: t('filter.model'),
      placeholder: t('filter.chooseModel'),
      choices: modelChoicesQuery,
      typed: modelPattern,
      mono: true,
    },
    {
      name: 'token',
      label: t('filter.token'),
      placeholder: t('filter.chooseToken'),
      choices: tokenChoicesQuery,
      typed: asTyped,
    },
    {
      name: 'group',
      label: t('filter.group'),
      placeholder: t('filter.chooseGroup'),
      choices: groupChoicesQuery(admin),
      typed: asTyped,
    },
  ]
  const administrators: readonly ListFilter[] = [
    {
      name: 'channel',
      label: t('filter.channel'),
      placeholder: t('filter.chooseChannel'),
      choices: channelChoicesQuery,
      typed: channelNumber,
    },
    {
      name: 'user',
      label: t('filter.user'),
      placeholder: t('filter.typeUser'),
      choices: [],
      typed: asTyped,
    },
  ]
  return admin ? [...everybody, ...administrators] : everybody
}

/** `7` and `#7`. */
function channelNumber(text: string): string | undefined {
  return /^#?(\d{1,9})$/.exec(text)?.[1]
}
