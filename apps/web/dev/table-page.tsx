import type { Token } from '@tollgate/api'
import { Copy, KeyRound, MoreHorizontal, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SortState } from '../src/components/data-table/columns.ts'
import type { DataColumn } from '../src/components/data-table/index.ts'
import { actionsColumn, DataTable, TableViewMenu, useTableView } from '../src/components/data-table/index.ts'
import { Button, IconButton } from '../src/components/ui/button.tsx'
import { CopyText } from '../src/components/ui/copy.tsx'
import { Input } from '../src/components/ui/field/input.tsx'
import { FilterBar, FilterChip } from '../src/components/ui/filter-bar.tsx'
import { Money } from '../src/components/ui/money.tsx'
import { Menu } from '../src/components/ui/overlay/menu.tsx'
import { Page, PageHeader } from '../src/components/ui/page.tsx'
import { Pagination } from '../src/components/ui/pagination.tsx'
import { EmptyState } from '../src/components/ui/states.tsx'
import { StatusDot, Tag } from '../src/components/ui/tag.tsx'
import { confirm } from '../src/lib/confirm.ts'
import { formatDateTime } from '../src/lib/format/format.ts'
import { toast } from '../src/lib/toast.ts'
import { sampleTokens } from './samples.ts'

const columns: readonly DataColumn<Token>[] = [
  { id: 'name', header: 'Name', cell: (token) => token.name, sortable: true, width: '12rem' },
  {
    id: 'status',
    header: 'Status',
    card: 'corner',
    cell: (token) =>
      token.status === 1 ? (
        <StatusDot tone="good">Enabled</StatusDot>
      ) : (
        <StatusDot tone="neutral">Disabled</StatusDot>
      ),
  },
  {
    id: 'key',
    header: 'Key',
    cell: (token) => (
      <CopyText value={`sk-${token.key}`}>{`sk-${token.key.slice(0, 4)}…${token.key.slice(-4)}`}</CopyText>
    ),
  },
  {
    id: 'group',
    header: 'Group',
    cell: (token) => (
      <Tag tone={token.group === 'vip' ? 'accent' : 'neutral'}>{token.group || 'default'}</Tag>
    ),
  },
  {
    id: 'used',
    header: 'Used',
    numeric: true,
    sortable: true,
    card: 'figure',
    cell: (token) => <Money quota={token.used_quota} />,
  },
  {
    id: 'left',
    header: 'Left',
    numeric: true,
    card: 'figure',
    cell: (token) => (token.unlimited_quota ? 'Unlimited' : <Money quota={token.remain_quota} />),
  },
  { id: 'created', header: 'Created', numeric: true, cell: (token) => formatDateTime(token.created_time) },
  {
    id: 'expires',
    header: 'Expires',
    numeric: true,
    hidden: true,
    cell: (token) => formatDateTime(token.expired_time),
  },
  {
    id: actionsColumn,
    header: '',
    cell: (token) => (
      <span className="inline-flex">
        <IconButton icon={Pencil} label={`Edit ${token.name}`} size="sm" />
        <Menu
          trigger={<IconButton icon={MoreHorizontal} label="More" size="sm" />}
          items={[
            { kind: 'action', icon: Copy, label: 'Copy key', run: () => toast.success('Copied') },
            { kind: 'separator' },
            {
              kind: 'action',
              icon: Trash2,
              label: 'Delete',
              danger: true,
              run: () =>
                void confirm({
                  title: `Delete ${token.name}?`,
                  description: 'Programs that use it stop working at once.',
                  confirmLabel: 'Delete key',
                  danger: true,
                }),
            },
          ]}
        />
      </span>
    ),
  },
]

type TableState = 'rows' | 'loading' | 'empty' | 'error'

function TableDemo({ state }: { readonly state: TableState }) {
  const view = useTableView('gallery', columns)
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState<SortState | undefined>()
  const [page, setPage] = useState(1)
  const rows = sampleTokens()
  return (
    <>
      <FilterBar
        search={{ value: '', onSearch: () => {}, placeholder: 'Search keys' }}
        end={
          <>
            <IconButton icon={RefreshCw} label="Refresh" />
            <TableViewMenu view={view} />
          </>
        }
      >
        <FilterChip label="Group" value={undefined} onClear={() => {}}>
          {() => 'Editor'}
        </FilterChip>
        <FilterChip label="Model" value="gpt-4o-mini" onClear={() => {}}>
          {() => <Input aria-label="Model" />}
        </FilterChip>
      </FilterBar>
      <DataTable
        view={view}
        label="Keys"
        rows={state === 'loading' || state === 'error' ? undefined : state === 'empty' ? [] : rows}
        error={
          state === 'error'
            ? new Error('Unable to connect to server, check your network and try again')
            : null
        }
        onRetry={() => {}}
        rowId={(token) => String(token.id)}
        isMuted={(token) => token.status !== 1}
        onRowClick={(token) => toast.info(token.name)}
        sort={sort}
        onSortChange={setSort}
        selection={{
          ids,
          onChange: setIds,
          actions: () => (
            <>
              <Button size="sm">Disable</Button>
              <Button size="sm" variant="danger">
                Delete
              </Button>
            </>
          ),
        }}
        empty={
          <EmptyState
            icon={KeyRound}
            title="No keys yet"
            action={
              <Button icon={Plus} variant="primary">
                Create key
              </Button>
            }
          >
            Programs use a key to call the gateway.
          </EmptyState>
        }
      />
      <Pagination
        page={page}
        pageSize={20}
        onPageChange={setPage}
        onPageSizeChange={() => {}}
        count={17}
        total={217}
      />
    </>
  )
}

/** A page that is a table, as lists are. `?table=` names what it shows. */
export function TablePage() {
  const state = (new URLSearchParams(window.location.search).get('table') ?? 'rows') as TableState
  return (
    <div className="h-dvh max-sm:h-auto">
      <Page layout="fill">
        <PageHeader
          title="API keys"
          actions={
            <Button variant="primary" icon={Plus}>
              Create key
            </Button>
          }
        />
        <TableDemo state={state} />
      </Page>
    </div>
  )
}
