import { Plus, RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Switch } from '../../components/ui/field/choice.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { NumberInput, Textarea } from '../../components/ui/field/input.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { Notice, Tag, type Tone } from '../../components/ui/tag.tsx'
import { columnLetters } from './chat/conversation.ts'
import { ResponseFields } from './response-fields.tsx'
import { defaultSettings, maxOthers, type Target, targetsOf, temperatureSteps } from './settings.ts'
import type { SettingsState } from './use-playground.ts'

/** Everything that determines the response and its cost. */
export function SettingsPanel({ state }: { readonly state: SettingsState }) {
  const { t } = useTranslation('playground')
  const { settings, error, retry, change } = state
  return (
    <div className="flex flex-col gap-4">
      {error && (
        <Notice
          tone="bad"
          action={
            <Button size="sm" onClick={retry}>
              {t('settings.reload')}
            </Button>
          }
        >
          {error.message}
        </Notice>
      )}
      {targetsOf(settings).map((target) => (
        <TargetFields key={target.column} target={target} state={state} />
      ))}
      {targetsOf(settings).length <= maxOthers && (
        <Button size="sm" icon={Plus} className="self-start" onClick={state.addColumn}>
          {t('compare.add')}
        </Button>
      )}
      <TemperatureField value={settings.temperature} onChange={(temperature) => change({ temperature })} />
      <Field label={t('settings.maxTokens')} hint={t('settings.maxTokensHint')}>
        <NumberInput
          value={settings.maxTokens}
          onValueChange={(maxTokens) => change({ maxTokens: Math.max(0, maxTokens ?? 0) })}
        />
      </Field>
      <Field
        label={t('settings.system')}
        hint={t('settings.systemHint')}
        {...(settings.system !== defaultSettings.system && {
          aside: (
            <ResetButton
              label={t('settings.resetSystem')}
              onClick={() => change({ system: defaultSettings.system })}
            />
          ),
        })}
      >
        <Textarea value={settings.system} onChange={(event) => change({ system: event.target.value })} />
      </Field>
      <Switch
        label={t('settings.stream')}
        hint={t('settings.streamHint')}
        checked={settings.stream}
        onCheckedChange={(stream) => change({ stream })}
      />
      <ResponseFields settings={settings} change={change} />
    </div>
  )
}

/** Chooses the model and the group; once for each column. */
function TargetFields({ target, state }: { readonly target: Target; readonly state: SettingsState }) {
  const { t } = useTranslation('playground')
  const { settings, models, groups, choose } = state
  const { column, group, model } = target
  const chosen = groups?.find(({ name }) => name === group)
  const name = (what: 'group' | 'model') =>
    settings.compare
      ? t('settings.ofColumn', { field: t(`settings.${what}`), column: columnLetters[column] })
      : t(`settings.${what}`)
  return (
    <>
      <Field
        label={name('group')}
        {...(column === 0 && { hint: t('settings.groupHint') })}
        {...(chosen && { aside: <RatioTag ratio={chosen.ratio} /> })}
      >
        <Select
          aria-label={name('group')}
          value={group || undefined}
          onValueChange={(next) => choose(column, { group: next })}
          disabled={!groups}
          options={(groups ?? []).map((choice) => ({
            value: choice.name,
            label: choice.name,
            hint: choice.description,
            aside: <RatioTag ratio={choice.ratio} />,
          }))}
        />
      </Field>
      <Field label={name('model')} {...(models?.length === 0 && { hint: t('settings.noModels') })}>
        <Select
          aria-label={name('model')}
          searchable
          value={model || undefined}
          onValueChange={(next) => choose(column, { model: next })}
          disabled={!models}
          options={(models ?? []).map((choice) => ({ value: choice, label: choice }))}
          className="font-mono"
        />
      </Field>
    </>
  )
}

/** Shows the ratio of a group to the list price. */
function RatioTag({ ratio }: { readonly ratio: number }) {
  const { t } = useTranslation('playground')
  const tone: Tone = ratio > 5 ? 'bad' : ratio > 3 ? 'warn' : ratio > 1 ? 'info' : 'good'
  return <Tag tone={tone}>{t('settings.ratio', { ratio })}</Tag>
}

/** Drawn here, because browsers draw the track white in the dark. */
const slider =
  'h-4 w-full cursor-pointer appearance-none rounded-full bg-transparent max-sm:h-11 [&::-webkit-slider-runnable-track]:h-1 [&::-webkit-slider-runnable-track]:rounded-full [&::-webkit-slider-runnable-track]:bg-line-strong [&::-webkit-slider-thumb]:-mt-1.5 [&::-webkit-slider-thumb]:size-4 [&::-webkit-slider-thumb]:appearance-none [&::-webkit-slider-thumb]:rounded-full [&::-webkit-slider-thumb]:bg-accent [&::-moz-range-track]:h-1 [&::-moz-range-track]:rounded-full [&::-moz-range-track]:bg-line-strong [&::-moz-range-thumb]:size-4 [&::-moz-range-thumb]:border-0 [&::-moz-range-thumb]:bg-accent'

interface TemperatureFieldProps {
  readonly value: number
  readonly onChange: (value: number) => void
}

/** Starts at 0, which is sent as 0; the slider goes from its first step on, and a press goes back to 0. */
function TemperatureField({ value, onChange }: TemperatureFieldProps) {
  const { t } = useTranslation('playground')
  const id = useId()
  const { min, max, step } = temperatureSteps
  const text = value === 0 ? '0' : value.toFixed(1)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex min-h-6 items-center justify-between gap-2">
        <label htmlFor={id} className="font-medium text-sm">
          {t('settings.temperature')}
        </label>
        <span className="flex items-center gap-1">
          {value > 0 && <ResetButton label={t('settings.resetTemperature')} onClick={() => onChange(0)} />}
          <output htmlFor={id} className="figures min-w-7 text-right font-medium text-sm">
            {text}
          </output>
        </span>
      </div>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(Number(event.target.value))}
        className={slider}
      />
      <p id={`${id}-hint`} className="text-muted text-xs">
        {t(value === 0 ? 'settings.temperatureZero' : 'settings.temperatureHint')}
      </p>
    </div>
  )
}

function ResetButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-6 place-items-center rounded-sm text-muted hover:bg-hover hover:text-text max-sm:size-11"
    >
      <RotateCcw className="size-3.5" aria-hidden />
    </button>
  )
}
