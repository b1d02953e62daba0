import { pricedTiers, pricedTools } from '@tollgate/api'
import { Plus, Trash2 } from 'lucide-react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { FormSection } from '../../components/ui/card.tsx'
import { ErrorText, Field } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { formatPrice } from '../../lib/format/price.ts'
import { type EntryForms, type FactorForm, maxSteps, newStep, type StepForm } from './entry-form.ts'
import type { ModelRow } from './model-rows.ts'
import type { PriceForm } from './price-form.ts'

interface EntryFieldsProps {
  readonly row: ModelRow
  readonly form: UseFormReturn<PriceForm>
}

/** Resolutions that vendors price apart; others that are stored stay. */
const resolutions = ['480p', '512p', '720p', '768p', '1024p', '1080p', '2k', '4k']

/** Charges of a model beside its tokens: tools, tiers and long prompts, or the terms of a video. */
export function EntryFields({ row, form }: EntryFieldsProps) {
  const mode = useWatch({ control: form.control, name: 'mode' })
  const props = { row, form }
  if (mode === 'call') return <VideoSection {...props} />
  return (
    <>
      <FactorSection {...props} kind="tools" members={pricedTools} />
      <FactorSection {...props} kind="tiers" members={pricedTiers} />
      <StepSection {...props} />
    </>
  )
}

function useEntry<Kind extends keyof EntryForms>(form: EntryFieldsProps['form'], kind: Kind) {
  const value = useWatch({ control: form.control, name: kind }) as EntryForms[Kind]
  const isChecked = form.formState.submitCount > 0
  const error = form.formState.errors[kind]?.message
  return {
    value,
    error: typeof error === 'string' ? error : undefined,
    set: (next: EntryForms[Kind]) =>
      form.setValue(kind, next as never, { shouldDirty: true, shouldValidate: isChecked }),
  }
}

interface FactorSectionProps extends EntryFieldsProps {
  readonly kind: 'tools' | 'tiers'
  readonly members: readonly string[]
}

/** A figure for each tool, or for each way of serving. */
function FactorSection({ row, form, kind, members }: FactorSectionProps) {
  const { t } = useTranslation('models')
  const { value, error, set } = useEntry(form, kind)
  return (
    <FormSection
      id={`${kind}-prices`}
      title={t(`entries.${kind}`)}
      description={t(`entries.${kind}Hint`)}
      folded={row.entries[kind] === undefined}
    >
      <FactorRows
        unit={kind === 'tools' ? 'price' : 'factor'}
        members={members}
        value={value}
        inherited={row.inherited_entries[kind] ?? {}}
        list={row.list_entries[kind] ?? {}}
        onChange={set}
      />
      <ErrorText>{error}</ErrorText>
    </FormSection>
  )
}

type Figures = Readonly<Record<string, number>>

interface FactorRowsProps {
  readonly unit: 'price' | 'factor'
  /** Names that can have a figure. */
  readonly members: readonly string[]
  readonly value: FactorForm
  /** Figures that hold while a field is blank. */
  readonly inherited: Figures
  /** Figures of the vendor. */
  readonly list: Figures
  readonly onChange: (value: FactorForm) => void
}

/** A field for each name with a figure, typed or in force, and a way to add others. */
function FactorRows({ unit, members, value, inherited, list, onChange }: FactorRowsProps) {
  const { t } = useTranslation('models')
  const named = new Set([...Object.keys(value), ...Object.keys(inherited), ...Object.keys(list)])
  const rows = [...new Set([...members, ...named])].filter((name) => named.has(name))
  const others = members.filter((name) => !named.has(name))
  const textOf = (figure: number) => (unit === 'price' ? formatPrice(figure) : `× ${figure}`)
  const hintOf = (name: string) => {
    const [own, listed] = [inherited[name], list[name]]
    const standard =
      own === undefined ? t(`entries.none.${unit}`) : t('entries.inherited', { figure: textOf(own) })
    return listed === undefined ? standard : `${standard} · ${t('fact.vendor', { price: textOf(listed) })}`
  }
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        {rows.map((name) => (
          <Field key={name} label={<span className="font-mono text-xs">{name}</span>} hint={hintOf(name)}>
            <Input
              inputMode="decimal"
              value={value[name] ?? ''}
              placeholder={inherited[name] === undefined ? '' : String(inherited[name])}
              suffix={unit === 'price' ? t('unit.thousandCalls') : '×'}
              onChange={(event) => onChange({ ...value, [name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      {others.length > 0 && (
        <div className="w-64 max-sm:w-full">
          <Select
            aria-label={t('entries.add')}
            placeholder={t('entries.add')}
            value={undefined}
            onValueChange={(name) => onChange({ ...value, [name]: '' })}
            options={others.map((name) => ({ value: name, label: name }))}
          />
        </div>
      )}
    </>
  )
}

/** Factors of long prompts, a row for each length. */
function StepSection({ row, form }: EntryFieldsProps) {
  const { t } = useTranslation('models')
  const { value: steps, error, set } = useEntry(form, 'steps')
  const inherited = row.inherited_entries.steps ?? []
  const set1 = (index: number, step: StepForm) => set(steps.with(index, step))
  return (
    <FormSection
      id="step-prices"
      title={t('entries.steps')}
      description={t('entries.stepsHint')}
      folded={row.entries.steps === undefined}
    >
      {steps.length === 0 && (
        <p className="text-muted text-xs">
          {inherited.length === 0
            ? t('entries.noSteps')
            : inherited.map((step) => t('entries.inheritedStep', step)).join(' · ')}
        </p>
      )}
      {steps.map((step, index) => (
        <StepRow
          // Rows have no name but their position.
          // biome-ignore lint/suspicious/noArrayIndexKey: a row that is removed takes its values along
          key={index}
          step={step}
          onChange={(next) => set1(index, next)}
          onRemove={() => set(steps.toSpliced(index, 1))}
        />
      ))}
      <ErrorText>{error}</ErrorText>
      <Button
        size="sm"
        className="self-start"
        icon={Plus}
        disabled={steps.length >= maxSteps}
        onClick={() => set([...steps, newStep])}
      >
        {t('entries.addStep')}
      </Button>
    </FormSection>
  )
}

interface StepRowProps {
  readonly step: StepForm
  readonly onChange: (step: StepForm) => void
  readonly onRemove: () => void
}

const stepFields = ['above', 'input', 'cached', 'output'] as const

function StepRow({ step, onChange, onRemove }: StepRowProps) {
  const { t } = useTranslation('models')
  return (
    <div className="flex flex-col gap-2 rounded border px-3 py-2.5">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {stepFields.map((name) => (
          <Field key={name} label={t(`entries.step.${name}`)}>
            <Input
              inputMode="decimal"
              value={step[name]}
              suffix={name === 'above' ? undefined : '×'}
              placeholder={name === 'cached' ? step.input : ''}
              onChange={(event) => onChange({ ...step, [name]: event.target.value.trim() })}
            />
          </Field>
        ))}
      </div>
      <Button variant="ghost" size="sm" className="self-start" icon={Trash2} onClick={onRemove}>
        {t('entries.removeStep')}
      </Button>
    </div>
  )
}

/** The unit of a video's price, and the factors of resolutions and sound. */
function VideoSection({ row, form }: EntryFieldsProps) {
  const { t } = useTranslation('models')
  const { value, error, set } = useEntry(form, 'video')
  const list = row.list_entries.video
  return (
    <FormSection
      id="video-prices"
      title={t('entries.video')}
      description={t('entries.videoHint')}
      folded={row.entries.video === undefined}
    >
      <div className="self-start">
        <SegmentedControl
          label={t('entries.videoUnit')}
          value={value.unit}
          onChange={(unit) => set({ ...value, unit })}
          options={[
            { value: 'call', label: t('entries.perVideo') },
            { value: 'second', label: t('entries.perSecond') },
          ]}
        />
      </div>
      <FactorRows
        unit="factor"
        members={resolutions}
        value={value.resolutions}
        inherited={{}}
        list={list?.resolutions ?? {}}
        onChange={(next) => set({ ...value, resolutions: next })}
      />
      <Field label={t('entries.sound')} hint={t('entries.soundHint')} className="w-64 max-sm:w-full">
        <Input
          inputMode="decimal"
          value={value.sound}
          suffix="×"
          onChange={(event) => set({ ...value, sound: event.target.value.trim() })}
        />
      </Field>
      <ErrorText>{error}</ErrorText>
    </FormSection>
  )
}
