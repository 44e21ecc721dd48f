//! The form of a file with a KV state: whole and unchanged, or refused.
//!
//! ```text
//! "HEARTHKV"  version u32  fingerprint [u8; 32]  tokens u32  state bytes u64  [token i32]  [state u8]  crc32 u32
//! ```
//! All numbers are little-endian; the checksum is over all that stands before it.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;

use llama_cpp_2::token::LlamaToken;

use super::{Fingerprint, UNFINISHED, remove};

pub(super) const MAGIC: [u8; 8] = *b"HEARTHKV";

pub(super) const VERSION: u32 = 1;

/// Tokens in a file at most: a guard against a header that lies.
const MOST_TOKENS: u32 = 1 << 24;

/// What stands before a state.
pub(super) struct Header {
    pub(super) fingerprint: Fingerprint,
    pub(super) tokens: Arc<[LlamaToken]>,
    state_bytes: u64,
}

/// Bytes of a file with so many tokens and bytes of state.
pub(super) fn file_bytes(tokens: usize, state: u64) -> u64 {
    let around = MAGIC.len() + 4 + size_of::<Fingerprint>() + 4 + 8 + tokens * 4 + 4;
    state.saturating_add(around as u64)
}

pub(super) fn read_header(path: &Path) -> io::Result<Header> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let header = parse_header(&mut BufReader::new(file))?;
    if length != file_bytes(header.tokens.len(), header.state_bytes) {
        return Err(damaged());
    }
    Ok(header)
}

fn parse_header(reader: &mut impl Read) -> io::Result<Header> {
    if bytes::<8>(reader)? != MAGIC || u32::from_le_bytes(bytes(reader)?) != VERSION {
        return Err(damaged());
    }
    let fingerprint = bytes(reader)?;
    let count = u32::from_le_bytes(bytes(reader)?);
    let state_bytes = u64::from_le_bytes(bytes(reader)?);
    if count > MOST_TOKENS {
        return Err(damaged());
    }
    let mut tokens = Vec::new();
    for _ in 0..count {
        tokens.push(LlamaToken(i32::from_le_bytes(bytes(reader)?)));
    }
    Ok(Header {
        fingerprint,
        tokens: tokens.into(),
        state_bytes,
    })
}

/// The state in a file, if it is whole and the one that is expected.
pub(super) fn read_state(
    path: &Path,
    tokens: &[LlamaToken],
    fingerprint: &Fingerprint,
) -> io::Result<Vec<u8>> {
    let mut all = fs::read(path)?;
    let end = all.len().checked_sub(4).ok_or_else(damaged)?;
    let sum = crc32fast::hash(&all[..end]);
    if all[end..] != sum.to_le_bytes() {
        return Err(damaged());
    }
    let header = parse_header(&mut all.as_slice())?;
    if header.fingerprint != *fingerprint || *header.tokens != *tokens {
        return Err(damaged());
    }
    all.truncate(end);
    let start = end.checked_sub(header.state_bytes as usize).ok_or_else(damaged)?;
    all.drain(..start);
    Ok(all)
}

pub(super) fn write(
    path: &Path,
    fingerprint: &Fingerprint,
    tokens: &[LlamaToken],
    state: &[u8],
) -> io::Result<()> {
    write_by(&path.with_extension(UNFINISHED), path, fingerprint, tokens, state)
}

/// The same by way of this file beside it, which is no other's.
pub(super) fn write_by(
    beside: &Path,
    path: &Path,
    fingerprint: &Fingerprint,
    tokens: &[LlamaToken],
    state: &[u8],
) -> io::Result<()> {
    let written = write_to(beside, fingerprint, tokens, state).and_then(|()| fs::rename(beside, path));
    if written.is_err() {
        remove(beside);
    }
    written
}

fn write_to(path: &Path, fingerprint: &Fingerprint, tokens: &[LlamaToken], state: &[u8]) -> io::Result<()> {
    let mut header = Vec::with_capacity(56 + tokens.len() * 4);
    header.extend_from_slice(&MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(fingerprint);
    header.extend_from_slice(&(tokens.len() as u32).to_le_bytes());
    header.extend_from_slice(&(state.len() as u64).to_le_bytes());
    for token in tokens {
        header.extend_from_slice(&token.0.to_le_bytes());
    }
    let mut sum = crc32fast::Hasher::new();
    sum.update(&header);
    sum.update(state);
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(&header)?;
    file.write_all(state)?;
    file.write_all(&sum.finalize().to_le_bytes())?;
    file.into_inner()?.sync_data()
}

fn bytes<const COUNT: usize>(reader: &mut impl Read) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file is damaged")
}
