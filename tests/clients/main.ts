import { operate } from '../support/operator.ts'
import { startScriptedUpstream } from '../support/protocols/scripted-upstream.ts'
import { addChannelTo, type UpstreamName, upstreamKinds } from '../support/protocols/upstream-channels.ts'
import { startTollgate } from '../support/server.ts'
import { install } from './install.ts'
import { type Client, clients } from './programs.ts'
import { runClient } from './run-client.ts'

/**
 * Runs the real programs against the gateway, each over an upstream of its own dialect and over foreign ones, and prints what
 * became of each. Ends with 1 when one did not do its task. Arguments choose upstreams by their names, and programs by a
 * part of theirs.
 */
const upstreams = ['openai', 'responses', 'anthropic', 'gemini'] as const satisfies readonly UpstreamName[]
const words = process.argv.slice(2).map((word) => word.toLowerCase())
const chosenUpstreams = upstreams.filter((name) => words.includes(name))
const chosenPrograms = words.filter((word) => upstreams.every((name) => name !== word))
const wanted = clients.filter(
  ({ name }) =>
    chosenPrograms.length === 0 || chosenPrograms.some((word) => name.toLowerCase().includes(word)),
)
const results = new Map<string, string>()
const problems: string[] = []
const commands = await installAll()
for (const upstream of chosenUpstreams.length === 0 ? upstreams : chosenUpstreams) await runOver(upstream)
printTable()
process.exit(problems.length === 0 ? 0 : 1)

async function installAll(): Promise<ReadonlyMap<Client, string>> {
  const found = new Map<Client, string>()
  for (const client of wanted) {
    const { package: name, version } = client.program
    console.log(`${client.name}: ${name} ${version}`)
    const installed = await install(client.program)
    if ('command' in installed) found.set(client, installed.command)
    else problems.push(`${client.name} is not installed: ${installed.problem}`)
  }
  return found
}

async function runOver(name: UpstreamName): Promise<void> {
  const gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const operator = await operate(gateway.url)
  const { protocol, knownModel } = upstreamKinds[name]
  const upstream = await startScriptedUpstream(protocol)
  const models = clients.map(({ model }) => model)
  await addChannelTo(operator, name, upstream, {
    models: models.join(),
    model_mapping: JSON.stringify(Object.fromEntries(models.map((model) => [model, knownModel]))),
  })
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))))
  const { key } = await operator.addKey()
  for (const [client, command] of commands) {
    upstream.forget()
    const began = performance.now()
    const problem = await runClient({
      client,
      command,
      gatewayUrl: gateway.url,
      key,
      script: (behaviour) => upstream.otherwise(behaviour),
    })
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const position = `${client.name} → ${name}`
    results.set(position, problem === undefined ? `pass ${seconds} s` : 'FAIL')
    console.log(`${position}: ${results.get(position)}, ${upstream.calls.length} calls upstream`)
    if (problem !== undefined) problems.push(`${position}: ${problem}`)
  }
  await gateway.stop()
  await upstream.stop()
}

function printTable(): void {
  console.log(`\n${''.padEnd(22)} ${upstreams.map((name) => name.padEnd(12)).join(' ')}`)
  for (const { name, own } of wanted) {
    const cells = upstreams.map((upstream) => {
      const result = results.get(`${name} → ${upstream}`) ?? 'not run'
      return (upstream === own ? `${result} *` : result).padEnd(12)
    })
    console.log([name.padEnd(22), ...cells].join(' '))
  }
  console.log('* its own dialect')
  for (const problem of problems) console.log(`\n${problem}`)
}
