import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { GroupField, GroupRow } from '@tollgate/api'
import { SearchX } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormSheet, type Problems, RecordSheet, TextField, useSaveForm } from '../../components/form/index.ts'
import { useStops } from '../../components/stops/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { toast } from '../../lib/toast.ts'
import type { groupRowsQuery } from './api.ts'
import { createGroup, removeGroup, updateGroup } from './api.ts'
import { GroupFields } from './group-fields.tsx'
import { changedSettings, formOf, type GroupForm, newGroup, problemsOf } from './group-form.ts'
import { GroupPrices } from './group-prices.tsx'
import { Members } from './members.tsx'
import { RenameGroup } from './rename-group.tsx'

type Groups = Awaited<ReturnType<NonNullable<(typeof groupRowsQuery)['queryFn']>>>

interface SheetProps {
  readonly query: Parameters<typeof RecordSheet<Groups>>[0]['query']
  readonly onClose: () => void
}

interface GroupSheetProps extends SheetProps {
  readonly name: string
  readonly onRenamed: (name: string) => void
}

/** One group: ratio, limits and members, saved in one step. */
export function GroupSheet({ name, query, onClose, onRenamed }: GroupSheetProps): ReactNode {
  const { t } = useTranslation('groups')
  return (
    <RecordSheet query={query} title={name} onClose={onClose}>
      {({ rows, writable }) => {
        const row = rows.find((each) => each.name === name)
        if (row !== undefined)
          return <EditForm row={row} writable={writable} onClose={onClose} onRenamed={onRenamed} />
        return (
          <Sheet open title={name} onClose={onClose}>
            <EmptyState icon={SearchX} title={t('unknown', { name })} />
          </Sheet>
        )
      }}
    </RecordSheet>
  )
}

/** A new group. */
export function NewGroupSheet({ query, onClose }: SheetProps): ReactNode {
  const { t } = useTranslation('groups')
  return (
    <RecordSheet query={query} title={t('add')} onClose={onClose}>
      {({ rows, writable }) => (
        <NewForm
          taken={rows.filter(({ has_ratio: hasRatio }) => hasRatio).map(({ name }) => name)}
          writable={writable}
          onClose={onClose}
        />
      )}
    </RecordSheet>
  )
}

function useProblems(taken: readonly string[]): (form: GroupForm) => Problems<GroupForm> {
  const { t } = useTranslation('groups')
  return (form) =>
    Object.fromEntries(
      Object.entries(problemsOf(form, taken)).map(([field, code]) => [field, t(`problem.${code}`)]),
    )
}

const fieldOfRefusal = {
  group_name_taken: 'name',
  option_entry_blank: 'name',
  option_entry_unfit: 'name',
} as const

interface NewFormProps extends Pick<SheetProps, 'onClose'> {
  readonly taken: readonly string[]
  readonly writable: readonly GroupField[]
}

function NewForm({ taken, writable, onClose }: NewFormProps) {
  const { t } = useTranslation('groups')
  const client = useQueryClient()
  const { ask } = useStops()
  const start = useMemo(() => formOf(newGroup), [])
  const saveForm = useSaveForm<GroupForm, void>({
    start,
    check: useProblems(taken),
    save: (form) => createGroup(client, form.name.trim(), changedSettings(start, form).settings),
    // People and channels may be in a group that has no ratio yet.
    ask(form) {
      const name = form.name.trim()
      return ask(
        { changed_group: { name, settings: changedSettings(start, form).settings } },
        { title: t('stops.title', { name }), confirmLabel: t('add'), kind: 'group' },
      )
    },
    fieldOf: fieldOfRefusal,
    successMessage: t('created'),
    onSaved: onClose,
  })
  return (
    <FormSheet saveForm={saveForm} onClose={onClose} title={t('add')} submitLabel={t('add')}>
      <TextField
        form={saveForm.form}
        name="name"
        label={t('field.name')}
        hint={t('field.nameHint')}
        required
        input={{ mono: true, maxLength: 100 }}
      />
      <GroupFields form={saveForm.form} writable={writable} readable={writable} />
    </FormSheet>
  )
}

interface EditFormProps extends Pick<GroupSheetProps, 'onClose' | 'onRenamed'> {
  readonly row: GroupRow
  readonly writable: readonly GroupField[]
}

function EditForm({ row, writable, onClose, onRenamed }: EditFormProps) {
  const { t } = useTranslation('groups')
  const client = useQueryClient()
  const start = useMemo(() => formOf(row), [row])
  const { ask, offerUndo } = useStops()
  const { name } = row
  const saveForm = useSaveForm<GroupForm, void>({
    start,
    check: useProblems([]),
    ask: (form) =>
      ask(
        { changed_group: { name, settings: changedSettings(start, form).settings } },
        {
          title: t('stops.title', { name }),
          confirmLabel: t('save'),
          kind: row.is_open && !form.is_open ? 'closed-group' : 'group',
        },
      ),
    save: (form, { started, seen }) => {
      const { settings, base } = changedSettings(started, form)
      const decided = Object.fromEntries(seen.map(({ field, current }) => [field, current]))
      return row.has_ratio
        ? updateGroup(client, name, settings, { ...base, ...decided })
        : createGroup(client, name, settings)
    },
    nameOf: (field) => (field === 'user_limits' ? 'hasUserLimits' : field),
    onSaved() {
      onClose()
      if (row.has_ratio) offerUndo(t('saved'), [{ action: 'group.update', kind: 'group', target: name }])
    },
    ...(!row.has_ratio && { successMessage: t('saved') }),
  })
  const readable = Object.keys(row) as GroupField[]
  return (
    <FormSheet
      saveForm={saveForm}
      closesUntouched={row.has_ratio}
      onClose={onClose}
      title={t('edit')}
      description={<span className="font-mono">{name}</span>}
      submitLabel={t('save')}
      footer={
        writable.includes('ratio') &&
        row.has_ratio &&
        name !== 'default' && (
          <>
            <RenameButton name={name} onRenamed={onRenamed} />
            <RemoveButton row={row} onRemoved={onClose} />
          </>
        )
      }
    >
      {!row.has_ratio && <Notice tone="warn">{t('noRatioHint')}</Notice>}
      {writable.length === 0 && <Notice tone="info">{t('locked')}</Notice>}
      <Members row={row} />
      <GroupFields form={saveForm.form} writable={writable} readable={readable} />
      {row.has_ratio && <GroupPrices group={name} ratio={row.ratio ?? 1} />}
    </FormSheet>
  )
}

function RenameButton({
  name,
  onRenamed,
}: {
  readonly name: string
  readonly onRenamed: (name: string) => void
}) {
  const { t } = useTranslation('groups')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        {t('rename.open')}
      </Button>
      {isOpen && <RenameGroup name={name} onClose={() => setOpen(false)} onRenamed={onRenamed} />}
    </>
  )
}

function RemoveButton({ row, onRemoved }: { readonly row: GroupRow; readonly onRemoved: () => void }) {
  const { t } = useTranslation('groups')
  const client = useQueryClient()
  const { ask, offerUndo } = useStops()
  const { name } = row
  const done = t('remove.done', { name })
  const remove = useMutation({
    mutationFn: () => removeGroup(client, name),
    onSuccess() {
      onRemoved()
      // An undo makes the group again, and brings nobody back who was moved out of it.
      if (isEmpty(row)) offerUndo(done, [{ action: 'group.remove', kind: 'group', target: name }])
      else toast.success(done)
    },
  })
  async function removeAfterStops(): Promise<void> {
    const confirmed = await ask(
      { changed_group: { name, settings: null } },
      {
        title: t('remove.title', { name }),
        confirmLabel: t('remove.confirm'),
        warning: t('remove.question'),
        always: true,
        kind: 'removed-group',
      },
    )
    if (confirmed) remove.mutate()
  }
  return (
    <Button variant="ghost" loading={remove.isPending} onClick={() => void removeAfterStops()}>
      {t('remove.confirm')}
    </Button>
  )
}

function isEmpty({ users, tokens, channels }: GroupRow): boolean {
  return users + tokens + channels === 0
}
