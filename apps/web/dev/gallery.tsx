/** Every component of the kit on one page, for looking at: `vite`, then /dev/gallery.html. Not shipped. */
import '../src/styles/index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { Token } from '@tollgate/api'
import { Copy, KeyRound, MoreHorizontal, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { SortState } from '../src/components/data-table/columns.ts'
import {
  actionsColumn,
  type DataColumn,
  DataTable,
  TableViewMenu,
  useTableView,
} from '../src/components/data-table/index.ts'
import { GlobalDialogs } from '../src/components/frame/global-dialogs.tsx'
import { Button, ButtonRow, IconButton } from '../src/components/ui/button.tsx'
import { Card, Figure, FormSection, KeyValue } from '../src/components/ui/card.tsx'
import { Checkbox, RadioGroup, Switch } from '../src/components/ui/choice.tsx'
import { CodeBlock, CopyButton, CopyText } from '../src/components/ui/copy.tsx'
import { DateTimePicker } from '../src/components/ui/date-time-picker.tsx'
import { Field } from '../src/components/ui/field.tsx'
import { FilterBar } from '../src/components/ui/filter-bar.tsx'
import { FilterChip } from '../src/components/ui/filter-chip.tsx'
import { Input, NumberInput, PasswordInput, Textarea } from '../src/components/ui/input.tsx'
import { JsonEditor } from '../src/components/ui/json-editor.tsx'
import { Menu } from '../src/components/ui/menu.tsx'
import { Money, MoneyChange, useMoneyPreview } from '../src/components/ui/money.tsx'
import { MultiSelect } from '../src/components/ui/multi-select.tsx'
import { Page, PageHeader } from '../src/components/ui/page.tsx'
import { Pagination } from '../src/components/ui/pagination.tsx'
import { Select } from '../src/components/ui/select.tsx'
import { Sheet } from '../src/components/ui/sheet.tsx'
import { Sparkline } from '../src/components/ui/sparkline.tsx'
import { EmptyState, ErrorState, Skeleton } from '../src/components/ui/states.tsx'
import { Tabs } from '../src/components/ui/tabs.tsx'
import { Notice, StatusDot, Tag } from '../src/components/ui/tag.tsx'
import { TooltipLayer } from '../src/components/ui/tooltip.tsx'
import { startTranslation } from '../src/i18n/index.ts'
import { confirm } from '../src/lib/confirm.ts'
import { formatDateTime } from '../src/lib/format.ts'
import { createQueryClient } from '../src/lib/query-client.ts'
import { useThemeOnDocument } from '../src/lib/theme.ts'
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

function TableDemo({ state }: { readonly state: 'rows' | 'loading' | 'empty' | 'error' }) {
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

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="flex flex-col gap-4">{children}</div>
    </Card>
  )
}

function Gallery() {
  useThemeOnDocument()
  const preview = useMoneyPreview()
  const [value, setValue] = useState<string>('default')
  const [models, setModels] = useState<readonly string[]>(['gpt-4o', 'gpt-4o-mini', 'my-model'])
  const [quota, setQuota] = useState<number | undefined>(500_000)
  const [json, setJson] = useState('{"gpt-4":')
  const [time, setTime] = useState<number | undefined>(1_800_000_000)
  const [tab, setTab] = useState<'one' | 'two'>('one')
  const [sheet, setSheet] = useState(window.location.hash === '#sheet')
  const [on, setOn] = useState(true)
  const tableState = (new URLSearchParams(window.location.search).get('table') ?? 'rows') as 'rows'
  if (window.location.hash === '#table') {
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
          <TableDemo state={tableState} />
        </Page>
        <GlobalDialogs />
        <TooltipLayer />
      </div>
    )
  }
  return (
    <Page>
      <PageHeader
        title="Kit"
        description="Every component, for looking at"
        actions={<Button onClick={() => setSheet(true)}>Open sheet</Button>}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <Section title="Buttons">
          <ButtonRow>
            <Button variant="primary">Create key</Button>
            <Button icon={Plus}>Secondary</Button>
            <Button variant="ghost">Ghost</Button>
            <Button variant="danger">Delete</Button>
            <Button loading>Saving</Button>
            <Button disabled>Disabled</Button>
            <IconButton icon={Pencil} label="Edit" />
            <CopyButton value="text" label="Copy key" withText />
          </ButtonRow>
          <ButtonRow>
            <Tag>default</Tag>
            <Tag tone="accent">vip</Tag>
            <Tag tone="good">good</Tag>
            <Tag tone="warn">warn</Tag>
            <Tag tone="bad">bad</Tag>
            <Tag tone="info">info</Tag>
            <StatusDot tone="good">Enabled</StatusDot>
            <StatusDot tone="bad">Disabled automatically</StatusDot>
          </ButtonRow>
          <ButtonRow>
            <Money quota={1_234_567} />
            <Money quota={1234} precision="log" />
            <MoneyChange from={5_000_000} to={7_500_000} />
            <Sparkline values={[3, 5, 4, 8, 6, 9, 4, 5]} label="Latency" />
            <CopyText value="gpt-4o-mini" />
          </ButtonRow>
        </Section>
        <Section title="Notices">
          <Notice tone="info">Something to know.</Notice>
          <Notice tone="warn" title="Careful">
            Tokens are for personal use only.
          </Notice>
          <Notice tone="bad">That did not work.</Notice>
          <Notice tone="good">Saved.</Notice>
        </Section>
        <Section title="Fields">
          <Field label="Name" required hint="Shown in the list">
            <Input placeholder="Production API" />
          </Field>
          <Field label="Key" error="Please fill in the key">
            <PasswordInput />
          </Field>
          <Field label="Quota" aside="presets">
            <NumberInput value={quota} onValueChange={setQuota} preview={preview} />
          </Field>
          <Field label="Group">
            <Select
              value={value}
              onValueChange={setValue}
              options={['default', 'vip', 'svip', 'a', 'b', 'c', 'd', 'e'].map((name) => ({
                value: name,
                label: name,
                aside: <Tag>1x</Tag>,
              }))}
            />
          </Field>
          <Field label="Models">
            <MultiSelect
              mono
              creatable
              values={models}
              onValuesChange={setModels}
              options={['gpt-4o', 'gpt-4o-mini', 'o3', 'claude-sonnet-4-5']}
            />
          </Field>
          <Field label="Mapping">
            <JsonEditor value={json} onValueChange={setJson} example={'{"a":"b"}'} />
          </Field>
        </Section>
        <Section title="Choices">
          <Checkbox label="Remember" hint="For a month" checked={on} onCheckedChange={setOn} />
          <Checkbox aria-label="some" indeterminate />
          <Switch
            label="Unlimited quota"
            hint="The balance of the account still counts"
            checked={on}
            onCheckedChange={setOn}
          />
          <RadioGroup
            look="cards"
            aria-label="mode"
            value={value === 'vip' ? 'vip' : 'default'}
            onValueChange={setValue}
            options={[
              { value: 'default', label: 'Default', hint: 'Hint' },
              { value: 'vip', label: 'VIP' },
            ]}
          />
          <Field label="Expires">
            <DateTimePicker
              value={time}
              onValueChange={setTime}
              shortcuts={[
                { label: 'Never', at: () => undefined },
                { label: 'One hour', at: () => 1_800_003_600 },
              ]}
            />
          </Field>
          <Field label="Notes">
            <Textarea />
          </Field>
        </Section>
        <Section title="Display">
          <Tabs
            aria-label="tabs"
            value={tab}
            onValueChange={setTab}
            tabs={[
              { value: 'one', label: 'One', content: 'First' },
              { value: 'two', label: 'Two', content: 'Second' },
            ]}
          />
          <KeyValue
            items={[
              { label: 'Group', value: 'default' },
              { label: 'Ratio', value: '1' },
            ]}
          />
          <Figure label="Balance">
            <Money quota={98_765_432} />
          </Figure>
          <Skeleton />
          <CodeBlock code={'curl https://example.com/v1/models'} label="Copy" />
        </Section>
        <Section title="States">
          <ErrorState error={new Error('Unable to connect to server')} onRetry={() => {}} />
        </Section>
      </div>
      <Sheet
        open={sheet}
        onClose={() => setSheet(false)}
        title="Edit key"
        description="Production API"
        dirty
        onSubmit={() => toast.success('Saved')}
        submitLabel="Save key"
      >
        <div className="flex flex-col gap-4">
          <FormSection id="basic" title="Basics">
            <Field label="Name" required>
              <Input defaultValue="Production API" />
            </Field>
            <Field label="Group">
              <Select
                value={value}
                onValueChange={setValue}
                options={['default', 'vip'].map((name) => ({ value: name, label: name }))}
              />
            </Field>
            <Field label="Quota">
              <NumberInput value={quota} onValueChange={setQuota} preview={preview} />
            </Field>
          </FormSection>
          <FormSection id="limits" title="Limits" folded>
            <Field label="Models">
              <MultiSelect
                mono
                creatable
                values={models}
                onValuesChange={setModels}
                options={['gpt-4o', 'o3']}
              />
            </Field>
          </FormSection>
        </div>
      </Sheet>
      <GlobalDialogs />
      <TooltipLayer />
    </Page>
  )
}

await startTranslation()
const rootRoute = createRootRoute({ component: Gallery })
const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() })
const place = document.getElementById('root')
if (place) {
  createRoot(place).render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}
