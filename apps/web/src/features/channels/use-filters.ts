import { channelStatuses } from '@tollgate/api'
import { channelTypes } from '@tollgate/api/channel-types'
import { useTranslation } from 'react-i18next'
import type { ListFilter } from '../../components/list/index.ts'
import { groupNames, servedModels, tagsInUse } from './api.ts'

const asTyped = (text: string) => text
const choicesOf = (names: readonly string[]) => names.map((value) => ({ value }))
const typeChoices = channelTypes.map(({ id, name }) => ({ value: String(id), label: name }))

/** What narrows the list. */
export function useChannelFilters(): readonly ListFilter[] {
  const { t } = useTranslation('channels')
  const states = Object.entries(channelStatuses) as [keyof typeof channelStatuses, number][]
  return [
    {
      name: 'status',
      label: t('column.status'),
      placeholder: t('filter.chooseStatus'),
      choices: states.map(([state, status]) => ({ value: String(status), label: t(`state.${state}`) })),
    },
    { name: 'type', label: t('column.type'), placeholder: t('filter.chooseType'), choices: typeChoices },
    {
      name: 'group',
      label: t('filter.group'),
      placeholder: t('filter.chooseGroup'),
      choices: {
        queryKey: ['choices', 'groups'],
        queryFn: async ({ signal }) => choicesOf(await groupNames(signal)),
      },
    },
    {
      name: 'model',
      label: t('filter.model'),
      placeholder: t('filter.chooseModel'),
      choices: {
        queryKey: ['choices', 'served-models'],
        queryFn: async ({ signal }) => choicesOf(await servedModels(signal)),
      },
      typed: asTyped,
      mono: true,
    },
    {
      name: 'tag',
      label: t('column.tag'),
      placeholder: t('filter.chooseTag'),
      choices: {
        queryKey: ['channels', 'tags'],
        queryFn: async ({ signal }) =>
          (await tagsInUse(signal)).map(({ tag, count }) => ({
            value: tag,
            hint: t('filter.tagCount', { count }),
          })),
      },
      typed: asTyped,
    },
  ]
}
