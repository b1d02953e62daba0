import '../../styles/pages.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import type { OpenApiDocument } from '@tollgate/api/openapi'
import { FileJson, SearchX } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../components/ui/button.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { PageHeader } from '../../components/ui/page.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { currentLanguage, translate } from '../../i18n/index.ts'
import { CallItem } from './call-item.tsx'
import { type CallGroup, groupsOf, matching } from './groups.ts'

const route = getRouteApi('/plain/docs')
const audiences = ['public', 'user', 'admin', 'root', 'relay-key', 'signature', 'session'] as const

/** Every call of the gateway, to be read: the same document that programs get. */
export function DocsPage(): ReactNode {
  const { t } = useTranslation('docs')
  const { data, error, refetch, isFetching } = useQuery(documentQuery)
  return (
    <div className="relative mx-auto flex w-full max-w-[1200px] flex-col gap-4 px-5 py-6 max-sm:px-4">
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <a href="/api/openapi.json" target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
            <FileJson className="size-3.5" aria-hidden />
            openapi.json
          </a>
        }
      />
      {data ? (
        <Reference document={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <Skeleton className="h-96!" />
      )}
    </div>
  )
}

function Reference({ document }: { readonly document: OpenApiDocument }) {
  const { t } = useTranslation('docs')
  const { q, who } = route.useSearch()
  const navigate = route.useNavigate()
  const groups = useMemo(() => groupsOf(document), [document])
  const visible = useMemo(() => matching(groups, { words: q, who }), [groups, q, who])
  const change = (part: { q?: string | undefined; who?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const options = [
    { value: '', label: t('everyone') },
    ...audiences.map((value) => ({ value, label: t(`access.${value}`) })),
  ]
  return (
    <>
      <FilterBar
        search={{
          value: q ?? '',
          placeholder: t('search'),
          onSearch: (text) => change({ q: text === '' ? undefined : text }),
        }}
      >
        <div className="w-48 max-sm:w-full">
          <Select
            aria-label={t('filterWho')}
            value={who ?? ''}
            options={options}
            onValueChange={(value) => change({ who: value === '' ? undefined : value })}
          />
        </div>
      </FilterBar>
      {visible.length === 0 ? (
        <EmptyState icon={SearchX} title={t('nothing')}>
          {t('nothingHint')}
        </EmptyState>
      ) : (
        <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
          <GroupList groups={visible} />
          <div className="flex min-w-0 flex-col gap-6">
            {visible.map((group) => (
              <Group key={group.tag} document={document} group={group} />
            ))}
          </div>
        </div>
      )}
    </>
  )
}

function GroupList({ groups }: { readonly groups: readonly CallGroup[] }) {
  const { t } = useTranslation('docs')
  return (
    <nav
      aria-label={t('groups')}
      className="sticky top-4 max-h-[calc(100dvh-6rem)] overflow-y-auto max-lg:hidden"
    >
      <ul className="flex flex-col">
        {groups.map(({ tag, heading, calls }) => (
          <li key={tag}>
            <a
              href={`#group-${tag}`}
              className="flex justify-between gap-2 rounded px-2 py-1 text-muted text-sm hover:bg-hover hover:text-text"
            >
              {heading[currentLanguage()]}
              <span className="figures text-faint text-xs">{calls.length}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Group({ document, group }: { readonly document: OpenApiDocument; readonly group: CallGroup }) {
  const { call: open } = route.useSearch()
  const navigate = route.useNavigate()
  // Where a link led, as long as the page is open.
  const [linked] = useState(open)
  return (
    <section id={`group-${group.tag}`} className="scroll-mt-4">
      <h2 className="mb-2 font-semibold text-base">{group.heading[currentLanguage()]}</h2>
      <ul className="divide-y overflow-hidden rounded-lg border bg-surface">
        {group.calls.map((call) => (
          <CallItem
            key={call.id}
            document={document}
            call={call}
            open={call.id === open}
            linked={call.id === linked}
            onToggle={() =>
              void navigate({
                search: (before) => ({ ...before, call: call.id === open ? undefined : call.id }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        ))}
      </ul>
    </section>
  )
}

/** The document changes with the server's version alone. */
const documentQuery = queryOptions({
  queryKey: ['open-api'],
  queryFn: ({ signal }) => readDocument(signal),
  staleTime: Number.POSITIVE_INFINITY,
})

async function readDocument(signal: AbortSignal): Promise<OpenApiDocument> {
  const response = await fetch(calls.openApi.read.path, { signal })
  if (!response.ok)
    throw new Error(translate('failure.unexpected_answer', { status: response.status, message: '' }))
  return (await response.json()) as OpenApiDocument
}
