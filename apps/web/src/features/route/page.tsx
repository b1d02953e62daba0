import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { groupsQuery } from '../../lib/api/account.ts'
import { ownKeysQuery, previewQuery, servedModelsQuery } from './api.ts'
import { RouteChannels } from './route-channels.tsx'
import type { RouteSearch } from './search.ts'

const route = getRouteApi('/console/route')

/** Shows which channels a call tries, why others are passed by, and the effect of other priorities. */
export function RoutePage(): ReactNode {
  const { t } = useTranslation('route')
  const search = route.useSearch()
  const preview = useQuery(previewQuery(search))
  return (
    <Page>
      <PageHeader title={t('title')} description={t('description')} />
      <CallChoice search={search} />
      {search.model === undefined ? (
        <Card>
          <EmptyState icon={Waypoints} title={t('empty.title')}>
            {t('empty.description')}
          </EmptyState>
        </Card>
      ) : (
        <QueryBoundary query={preview} waiting="h-72!">
          {(data) => (
            <>
              {data.blockers.length > 0 && (
                <Notice tone="bad" title={t('blocked')}>
                  <ul>
                    {data.blockers.map((blocker) => (
                      <li key={blocker}>{t(`blocker.${blocker}`)}</li>
                    ))}
                  </ul>
                </Notice>
              )}
              <RouteChannels key={`${data.model} ${data.group}`} preview={data} />
            </>
          )}
        </QueryBoundary>
      )}
    </Page>
  )
}

/** Model, key and group of the call. */
function CallChoice({ search }: { readonly search: RouteSearch }) {
  const { t } = useTranslation('route')
  const navigate = useNavigate({ from: '/route' })
  const { data: models } = useQuery(servedModelsQuery)
  const { data: keys } = useQuery(ownKeysQuery)
  const { data: groups } = useQuery(groupsQuery)
  const show = (next: RouteSearch) => void navigate({ search: { ...search, ...next }, replace: true })
  const isOthersKey = search.key !== undefined && !keys?.some(({ id }) => id === search.key)
  return (
    <Card>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label={t('choice.model')}>
          <Select
            value={search.model ?? ''}
            onValueChange={(model) => show({ model: model || undefined })}
            placeholder={t('choice.modelPlaceholder')}
            options={optionsOf(
              models?.map(({ model_name }) => model_name),
              search.model,
            )}
          />
        </Field>
        <Field label={t('choice.key')}>
          <Select
            value={search.key ?? 0}
            onValueChange={(key) => show({ key: key || undefined })}
            options={[
              { value: 0, label: t('choice.noKey') },
              ...(isOthersKey
                ? [{ value: search.key ?? 0, label: t('choice.othersKey', { id: search.key }) }]
                : []),
              ...(keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
        <Field label={t('choice.group')}>
          <Select
            value={search.group ?? ''}
            onValueChange={(group) => show({ group: group || undefined })}
            options={[
              { value: '', label: t(search.key === undefined ? 'choice.defaultGroup' : 'choice.keysGroup') },
              ...(groups ?? []).map((group) => ({ value: group, label: group })),
            ]}
          />
        </Field>
      </div>
    </Card>
  )
}

/** A model of the address that nobody serves stays chosen. */
function optionsOf(names: readonly string[] = [], chosen: string | undefined) {
  const all = chosen !== undefined && !names.includes(chosen) ? [chosen, ...names] : names
  return all.map((name) => ({ value: name, label: name }))
}
