import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, loadCore, measuredCore, startPinned, waitForResponse } from './processes.ts'

/** The static upstream's response to every call: one complete chat completion. */
const completion = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1760000000,
  model: 'gpt-4o-mini',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'A short answer to a short question.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 24,
    completion_tokens: 8,
    total_tokens: 32,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  },
  system_fingerprint: 'fp_bench',
})

/** Its worker must read the files of the bench, which are its starter's alone. */
const user = process.getuid?.() === 0 ? 'user root;' : ''

function config(directory: string, name: string, http: string): string {
  return `${user} worker_processes 1; daemon off; pid ${join(directory, `${name}.pid`)}; error_log ${join(directory, `${name}.log`)};
events { worker_connections 8192; }
http { access_log off; keepalive_requests 100000000; client_body_buffer_size 4m; client_max_body_size 0;
client_body_temp_path ${directory}; proxy_temp_path ${directory}; fastcgi_temp_path ${directory}; uwsgi_temp_path ${directory}; scgi_temp_path ${directory};
${http} }`
}

/** nginx in use; its worker is a child of the process. */
export interface Nginx {
  readonly url: string
  readonly pid: number
}

async function start(
  directory: string,
  name: string,
  core: string,
  http: string,
  port: number,
): Promise<Nginx> {
  mkdirSync(directory, { recursive: true, mode: 0o777 })
  const file = join(directory, `${name}.conf`)
  writeFileSync(file, config(directory, name, http))
  const { pid = 0 } = startPinned(core, ['nginx', '-c', file])
  const url = `http://127.0.0.1:${port}`
  await waitForResponse(url)
  return { url, pid }
}

/** A static upstream on the load's core: it costs next to nothing, so that the gateway is what is measured. */
export async function startStaticUpstream(directory: string, core = loadCore): Promise<string> {
  const port = await freePort()
  const server = `server { listen 127.0.0.1:${port}; location / { default_type application/json; return 200 '${completion}'; } }`
  return (await start(directory, 'upstream', core, server, port)).url
}

/** A static upstream whose response to every call is the text: nginx sends it from a file, as a setting holds no long text. */
export async function startFileUpstream(directory: string, response: string): Promise<string> {
  const port = await freePort()
  mkdirSync(directory, { recursive: true, mode: 0o777 })
  writeFileSync(join(directory, 'response.json'), response)
  const server = `server { listen 127.0.0.1:${port}; root ${directory}; default_type application/json; sendfile on; error_page 405 =200 /response.json; location / { try_files /response.json =404; } }`
  return (await start(directory, 'upstream', loadCore, server, port)).url
}

/** nginx as a plain reverse proxy on the measured core: the practical limit. */
export async function startProxy(directory: string, upstream: string, isUnbuffered = false): Promise<Nginx> {
  const port = await freePort()
  return start(
    directory,
    'proxy',
    measuredCore,
    `upstream u { server ${upstream.slice('http://'.length)}; keepalive 512; }
server { listen 127.0.0.1:${port}; location / { proxy_pass http://u; proxy_http_version 1.1; proxy_set_header Connection "";${isUnbuffered ? ' proxy_buffering off;' : ''} } }`,
    port,
  )
}
