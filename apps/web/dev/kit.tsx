import { Pencil, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Button, ButtonRow, IconButton } from '../src/components/ui/button.tsx'
import { Card, KeyValue, Stat } from '../src/components/ui/card.tsx'
import { CodeBlock, CopyButton, CopyText } from '../src/components/ui/copy.tsx'
import { DateTimePicker } from '../src/components/ui/date/date-time-picker.tsx'
import { Checkbox, RadioGroup, Switch } from '../src/components/ui/field/choice.tsx'
import { Field } from '../src/components/ui/field/field.tsx'
import { Input, PasswordInput, Textarea } from '../src/components/ui/field/input.tsx'
import { JsonEditor } from '../src/components/ui/field/json-editor.tsx'
import { QuotaInput } from '../src/components/ui/field/quota-input.tsx'
import { Money, MoneyChange } from '../src/components/ui/money.tsx'
import { MultiSelect } from '../src/components/ui/select/multi-select.tsx'
import { Select } from '../src/components/ui/select/select.tsx'
import { Sparkline } from '../src/components/ui/sparkline.tsx'
import { ErrorState, Skeleton } from '../src/components/ui/states.tsx'
import { Tabs } from '../src/components/ui/tabs.tsx'
import { Notice, StatusDot, Tag } from '../src/components/ui/tag.tsx'

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="flex flex-col gap-4">{children}</div>
    </Card>
  )
}

function Buttons() {
  return (
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
        <Money quota={1234} exact />
        <MoneyChange from={5_000_000} to={7_500_000} />
        <Sparkline values={[3, 5, 4, 8, 6, 9, 4, 5]} label="Latency" />
        <CopyText value="gpt-4o-mini" />
      </ButtonRow>
    </Section>
  )
}

function Notices() {
  return (
    <Section title="Notices">
      <Notice tone="info">Something to know.</Notice>
      <Notice tone="warn" title="Careful">
        Tokens are for personal use only.
      </Notice>
      <Notice tone="bad">That did not work.</Notice>
      <Notice tone="good">Saved.</Notice>
    </Section>
  )
}

function Fields() {
  const [value, setValue] = useState('default')
  const [models, setModels] = useState<readonly string[]>(['gpt-4o', 'gpt-4o-mini', 'my-model'])
  const [quota, setQuota] = useState<number | undefined>(500_000)
  const [json, setJson] = useState('{"gpt-4":')
  return (
    <Section title="Fields">
      <Field label="Name" required hint="Shown in the list">
        <Input placeholder="Production API" />
      </Field>
      <Field label="Key" error="Please fill in the key">
        <PasswordInput />
      </Field>
      <Field label="Quota" aside="presets">
        <QuotaInput value={quota} onValueChange={setQuota} />
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
  )
}

function Choices() {
  const [value, setValue] = useState('default')
  const [time, setTime] = useState<number | undefined>(1_800_000_000)
  const [on, setOn] = useState(true)
  return (
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
  )
}

function Display() {
  const [tab, setTab] = useState<'one' | 'two'>('one')
  return (
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
      <Stat label="Balance">
        <Money quota={98_765_432} />
      </Stat>
      <Skeleton />
      <CodeBlock code={'curl https://example.com/v1/models'} label="Copy" />
    </Section>
  )
}

function States() {
  return (
    <Section title="States">
      <ErrorState error={new Error('Unable to connect to server')} onRetry={() => {}} />
    </Section>
  )
}

/** Every component of the kit, by what it is for. */
export function Kit() {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Buttons />
      <Notices />
      <Fields />
      <Choices />
      <Display />
      <States />
    </div>
  )
}
