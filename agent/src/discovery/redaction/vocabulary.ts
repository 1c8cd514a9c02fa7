// Terms that mix letters and digits and are no secrets, as data. Lower case. A new term is a new word in a list.

/** Complete terms. */
export const TERMS: ReadonlySet<string> = new Set(
  [
    // Abbreviations that count their letters.
    'k8s k3s k3d k9s k6 i18n l10n a11y g11n p13n o11y e2e b2b b2c p2p m2m n8n l7 l4 x402 x509',
    // Formats, codecs, protocols and algorithms.
    'h264 h265 av1 vp8 vp9 mp3 mp4 m4a m3u8 bz2 7z lz4 x86 x64 i386 i686 utf8 utf16 base64 base32',
    'md5 sha1 sha2 sha256 sha384 sha512 ed25519 rs256 es256 hs256 ipv4 ipv6 http1 http2 http3 h2 h3',
    'oauth oauth2 oauth20 oidc2 tls1 ssl3 tcp4 tcp6 udp4 udp6 2fa mfa2 u2f c2pa id3 iso8601 rfc3339',
    // Products, languages and services.
    's3 ec2 r2 d1 b2 s3fs neo4j log4j log4net auth0 context7 web3 web2 d3 p5 p5js three3 h2o c4d r2d2',
    'm365 o365 d365 ms365 office365 dynamics365 1password 1c 3d 2d 4d 5g 4g 8base 0x f5 f1 g2 w3c w3m',
    '21st 37signals 4chan 8x8 2captcha 3scale tier1 tier2 win32 win64 lib64 lib32 arm64 armv7 armv8',
    'amd64 aarch64 s390x ppc64 ppc64le riscv64 e2b c99 c11 cpp11 cpp17 psr4 psr7 vue3 es5 es6 py2 py3',
    'area51 sap4 s4hana i3 i2c c3 c4 d2 ga4 v8 v4l2 wav2vec2 word2vec x11 x12 g4f z3 m1 m2 m3 m4 a2a',
    'e5 r7b bge3 usb2 usb3 ps1 r1 o1 o3 o4 4o k2 t5 yolov8 f16 f32 fp8 fp16 fp32 bf16 int4 int8 q4 q5 q6 q8 q2 q3',
  ]
    .join(' ')
    .split(' '),
);

/** Words that a number of up to four digits may follow: machines, environments, versions, models. */
const NUMBERED = [
  'app|api|web|db|node|host|server|srv|worker|master|main|primary|replica|shard|zone|rack|pod|cluster',
  'cache|redis|pg|postgres|postgresql|mysql|mariadb|mongo|kafka|es|solr|proxy|gateway|gw|lb|dns|ns|mx',
  'prod|production|dev|test|testing|stage|staging|qa|uat|beta|alpha|rc|build|rel|release|version|ver|rev',
  'python|py|node|nodejs|jdk|java|go|golang|ruby|php|perl|lua|dotnet|net|rust|swift|kotlin|scala|llvm',
  'gcc|clang|ubuntu|debian|fedora|centos|rhel|alpine|windows|win|macos|ios|android|angular|vue|react',
  'gpt|claude|llama|qwen|gemma|gemini|phi|mixtral|mistral|deepseek|grok|yi|glm|flux|whisper|sdxl|dalle',
  'eu|us|ap|sa|af|me|ca|uk|de|fr|jp|au|eastus|westus|fra|nyc|sfo|ams|lon|sgp|tor|blr|iad|sjc|lhr|cdg',
  'ash|hel|fsn|nbg|waw|par|mad|syd|bom|dfw|ord|lax|sea|hkg|nrt|gru',
  'copy|part|page|step|level|layer|phase|chapter|volume|vol|team|group|room|user|agent|bot|tool|tools',
  'mcp|llm|http|https|tcp|udp|port|socket|bucket|queue|topic|index|table|log|file|disk|eth|gpu|cpu|tty',
].join('|');
const NUMBERED_WORD = new RegExp(`^(?:${NUMBERED})\\d{1,4}$`);

/** Forms of numbers with letters. */
const FORMS: readonly RegExp[] = [
  // Versions: `v2`, `v1beta1`, `2rc1`, `1ubuntu2`, `0a1`.
  /^v\d{1,4}(?:alpha|beta|rc|pre|preview|dev|a|b|p)?\d{0,2}$/,
  /^\d{1,4}(?:a|b|rc|alpha|beta|dev|post|pre|preview|ubuntu|deb|el|fc)\d{1,3}$/,
  /^(?:rc|alpha|beta|pre|preview|canary|next|post)\d{1,8}$/,
  // Regions of clouds: the letter of a zone (`1a`), then `west1`, `northeast2`, `centralus2`.
  /^[1-9][a-f]$/,
  /^(?:(?:north|south|east|west|central)(?:us|india)?){1,2}\d$/,
  // Ordinals, sizes, times, resolutions, parameters of models.
  /^\d{1,4}(?:st|nd|rd|th)$/,
  /^\d{1,6}(?:b|k|kb|mb|gb|tb|m|g|ms|s|sec|min|h|d|w|y|px|em|fps|hz|khz|mhz|ghz|bit|bits|dpi)$/,
  /^\d{1,5}x\d{1,5}b?$/,
  /^\d{8}t\d{4,6}z?$/,
];

/** Returns true for a term that mixes letters and digits and is known to be no secret. */
export function isVocabulary(group: string): boolean {
  const term = group.toLowerCase();
  return TERMS.has(term) || NUMBERED_WORD.test(term) || FORMS.some((form) => form.test(term));
}
