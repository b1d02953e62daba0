import { calls, channelFilters, channelStatuses } from '@tollgate/api'
import { channelTypes } from '@tollgate/api/channel-types'
import { useTranslation } from 'react-i18next'
import {
  asTyped,
  choicesOf,
  groupChoices,
  type ListFilter,
  numberChoices,
  useColumnLabel,
  useFieldFilters,
} from '../../components/list/index.ts'
import { request } from '../../lib/api/api-client.ts'

const typeChoices = channelTypes.map(({ id, name }) => ({ value: String(id), label: name }))

/** Returns the filters of the list. */
export function useChannelFilters(): readonly ListFilter[] {
  const { t } = useTranslation('channels')
  const own: readonly ListFilter[] = [
    {
      name: 'status',
      label: t('column.status'),
      placeholder: t('filter.chooseStatus'),
      choices: numberChoices(channelStatuses, (state) => t(`filter.status.${state}`)),
    },
    { name: 'type', label: t('column.type'), placeholder: t('filter.chooseType'), choices: typeChoices },
    {
      name: 'group',
      label: t('filter.group'),
      placeholder: t('filter.chooseGroup'),
      choices: groupChoices,
    },
    {
      name: 'model',
      label: t('filter.model'),
      placeholder: t('filter.chooseModel'),
      choices: {
        queryKey: ['choices', 'served-models'],
        queryFn: async ({ signal }) => choicesOf(await request(calls.channels.enabledModels, { signal })),
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
          (await request(calls.channels.tags, { signal })).map(({ tag, count }) => ({
            value: tag,
            hint: t('filter.tagCount', { count }),
          })),
      },
      typed: asTyped,
    },
  ]
  return useFieldFilters(channelFilters, own, useColumnLabel('channels'))
}
