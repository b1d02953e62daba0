import { useMutation, useQueryClient } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { FormSheet, RecordSheet, useSaveForm } from '../../components/form/index.ts'
import { hasTimeProblem } from '../../components/prices/time-form.ts'
import { useStops } from '../../components/stops/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useMaySetPrices } from '../../lib/api/options.ts'
import { clockHere } from '../../lib/format/reader-clock.ts'
import { toast } from '../../lib/toast.ts'
import { savePrice } from './api.ts'
import { CostFields } from './cost-fields.tsx'
import { editedRow } from './edited-row.ts'
import { EntryFields } from './entry-fields.tsx'
import { entriesChange, entryProblems } from './entry-form.ts'
import { GroupField } from './margin-fields.tsx'
import { isUnpriced, type ModelRow } from './model-rows.ts'
import { PriceFacts } from './price-facts.tsx'
import { CallField, ModeField, SampleCost, Suggestion, TokenFields } from './price-fields.tsx'
import {
  costProblems,
  costsChange,
  intendedPrice,
  type PriceForm,
  priceOf,
  priceProblems,
  startPriceForm,
  timesChange,
} from './price-form.ts'
import { RenameDialog } from './rename-dialog.tsx'
import { TimeFields } from './time-fields.tsx'

export interface PriceSheetProps {
  readonly model: string
  /** `undefined` until the list is here, and for a model that no enabled channel serves. */
  readonly row: ModelRow | undefined
  readonly query: Parameters<typeof RecordSheet<unknown>>[0]['query']
  readonly onClose: () => void
}

/** The price of one model, saved in one step. */
export function PriceSheet({ model, row, query, onClose }: PriceSheetProps): ReactNode {
  const { t } = useTranslation('models')
  const maySet = useMaySetPrices()
  const data = maySet === undefined ? undefined : query.data
  return (
    <RecordSheet query={{ ...query, data }} title={t('setPrice')} onClose={onClose}>
      {() => {
        if (row !== undefined && !maySet) return <PriceFactsSheet row={row} onClose={onClose} />
        if (row !== undefined) return <PriceFormSheet row={row} onClose={onClose} />
        return (
          <Sheet open title={t('setPrice')} description={model} onClose={onClose}>
            <EmptyState icon={SearchX} title={t('sheet.notServed', { model })}>
              {t('sheet.notServedHint')}
            </EmptyState>
          </Sheet>
        )
      }}
    </RecordSheet>
  )
}

/** The price of a model to a person who cannot change it, and why. */
function PriceFactsSheet({ row, onClose }: PriceFormSheetProps) {
  const { t } = useTranslation('models')
  return (
    <Sheet
      open
      title={t('sheet.title')}
      description={<span className="font-mono">{row.model_name}</span>}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        <Notice tone="info">{t('sheet.locked')}</Notice>
        <PriceFacts row={row} isWhole />
      </div>
    </Sheet>
  )
}

interface PriceFormSheetProps extends Pick<PriceSheetProps, 'onClose'> {
  readonly row: ModelRow
}

function PriceFormSheet({ row, onClose }: PriceFormSheetProps) {
  const { t } = useTranslation('models')
  const client = useQueryClient()
  const [found] = useState(row)
  const [zone] = useState(() => clockHere().time_zone)
  const { ask, offerUndo } = useStops()
  const start = useMemo(() => startPriceForm(row, zone), [row, zone])
  const saveForm = useSaveForm<PriceForm, boolean>({
    start,
    check: (values) => ({
      ...Object.fromEntries(
        Object.entries(priceProblems(values)).map(([name, code]) => [name, t(`problem.${code}`)]),
      ),
      ...(hasTimeProblem(values.times) && { times: t('times.wrong') }),
      ...Object.fromEntries(entryProblems(values).map((name) => [name, t(`entries.problem.${name}`)])),
      ...(Object.keys(costProblems(values.costs)).length > 0 && { costs: t('costs.problem') }),
      ...(Object.values(values.costTimes).some(hasTimeProblem) && { costTimes: t('times.wrong') }),
    }),
    ask: (values) =>
      ask(
        { price: intendedPrice(row, values) },
        { title: t('stops.title', { model: row.model_name }), confirmLabel: t('sheet.save'), kind: 'price' },
      ),
    async save(values, { seen }) {
      const edited = editedRow(found, seen)
      const costs = costsChange(edited.costs, values)
      const price = priceOf(values)
      const more = {
        ...timesChange(edited, values.times),
        ...entriesChange(edited.entries, values),
        ...(costs.length > 0 && { costs }),
      }
      await savePrice(client, row.model_name, price, edited.price, more)
      // Without a change there is no record, and an undo would take back the one before.
      return Object.keys(more).length > 0 || JSON.stringify(price) !== JSON.stringify(edited.price)
    },
    fieldOf: {
      model_price_input_missing: 'input',
      option_entry_tool_price: 'tools',
      option_entry_tier_ratio: 'tiers',
      option_entry_length_step: 'steps',
      option_entry_video_price: 'video',
      option_entry_time_price: 'times',
      option_entry_model_cost: 'costs',
    },
    onSaved(isChanged) {
      onClose()
      const message = t('sheet.saved', { model: row.model_name })
      if (isChanged) offerUndo(message, [changeOf(row)])
      else toast.success(message)
    },
  })
  const { form } = saveForm
  const mode = useWatch({ control: form.control, name: 'mode' })
  const [group, setGroup] = useState(() => firstGroup(row))
  return (
    <FormSheet
      saveForm={saveForm}
      onClose={onClose}
      title={t(isUnpriced(row) ? 'setPrice' : 'sheet.title')}
      description={<span className="font-mono">{row.model_name}</span>}
      submitLabel={t('sheet.save')}
      footer={
        <>
          <RenameButton row={row} onRenamed={onClose} />
          {!isUnpriced(row) && <RemoveButton row={row} onRemoved={onClose} />}
        </>
      }
    >
      <Suggestion row={row} form={form} />
      <ModeField form={form} />
      <GroupField row={row} group={group} onChange={setGroup} />
      {mode === 'call' ? (
        <CallField row={row} form={form} group={group} />
      ) : (
        <TokenFields row={row} form={form} group={group} />
      )}
      <SampleCost row={row} form={form} />
      <EntryFields row={row} form={form} />
      <TimeFields row={row} form={form} />
      <CostFields row={row} form={form} />
      <PriceFacts row={row} />
    </FormSheet>
  )
}

/** The record of a saved price, which leads back. */
function changeOf({ model_name: target }: ModelRow) {
  return { action: 'model.price', kind: 'model', target } as const
}

function firstGroup({ group_ratios: groups }: ModelRow): string {
  return Object.hasOwn(groups, 'default') ? 'default' : (Object.keys(groups)[0] ?? '')
}

interface RenameButtonProps {
  readonly row: ModelRow
  readonly onRenamed: () => void
}

function RenameButton({ row, onRenamed }: RenameButtonProps) {
  const { t } = useTranslation('models')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        {t('rename.open')}
      </Button>
      {isOpen && <RenameDialog model={row.model_name} onClose={() => setOpen(false)} onRenamed={onRenamed} />}
    </>
  )
}

interface RemoveButtonProps {
  readonly row: ModelRow
  readonly onRemoved: () => void
}

function RemoveButton({ row, onRemoved }: RemoveButtonProps) {
  const { t } = useTranslation('models')
  const client = useQueryClient()
  const { ask, offerUndo } = useStops()
  const { model_name: model, price } = row
  const remove = useMutation({
    mutationFn: () => savePrice(client, model, null, price),
    onSuccess() {
      onRemoved()
      offerUndo(t('remove.done'), [changeOf(row)])
    },
  })
  async function removeAfterStops(): Promise<void> {
    const confirmed = await ask(
      { price: { model_name: model, price: null } },
      {
        title: t('remove.title'),
        confirmLabel: t('remove.confirm'),
        warning: t('remove.question', { model }),
        always: true,
        kind: 'price',
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
