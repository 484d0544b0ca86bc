// SPDX-License-Identifier: MIT OR Apache-2.0
//! One statement of the text to one instruction: names become slots of the register file, labels become indices.

use crate::arithmetic::{self, Compute};
use crate::parse::Names;

/// A guarded action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    /// The action is done when this register holds this value; the register of a constant 1 for those always done.
    pub(crate) guard: u32,
    pub(crate) expected: bool,
    pub(crate) action: Action,
}

/// What an instruction does; all registers by slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    Compute {
        compute: Compute,
        to: u32,
        from: [u32; 4],
    },
    /// The low and the high half of a register.
    Split {
        low: u32,
        high: u32,
        from: u32,
        half: u32,
    },
    Parameter {
        to: u32,
        offset: u32,
        access: Access,
    },
    Load {
        to: [u32; 4],
        address: u32,
        displacement: i32,
        access: Access,
    },
    Store {
        from: [u32; 4],
        address: u32,
        displacement: i32,
        access: Access,
    },
    Branch {
        target: u32,
    },
    Return,
}

/// How memory is read or written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    /// Bytes of one value.
    pub(crate) bytes: u8,
    /// Whether a value is extended by its sign.
    pub(crate) signed: bool,
    /// How many values.
    pub(crate) count: u8,
}

impl Instruction {
    /// Whether control never goes on to the next instruction.
    pub(crate) fn ends(&self) -> bool {
        self.expected && self.guard == ALWAYS && matches!(self.action, Action::Return | Action::Branch { .. })
    }
}

/// The slot of the constant 1 (see `execute::SPECIAL`).
pub(crate) const ALWAYS: u32 = 12;

/// Bits of a type by its name without the dot.
pub(crate) fn bits(kind: &str) -> Option<usize> {
    let (letter, digits) = kind.split_at_checked(1)?;
    let bits = digits.parse().ok()?;
    ("busf".contains(letter) && [8, 16, 32, 64].contains(&bits)).then_some(bits)
}

/// Reads a statement such as `@%p1 bra $L__BB0_2;`.
pub(crate) fn statement(line: &str, names: &mut Names) -> Result<Instruction, String> {
    let mut rest = line.strip_suffix(';').ok_or("a statement ends with a semicolon")?.trim();
    let (mut guard, mut expected) = (ALWAYS, true);
    if let Some(guarded) = rest.strip_prefix('@') {
        let (predicate, statement) = guarded.split_once(char::is_whitespace).ok_or("nothing is guarded")?;
        expected = !predicate.starts_with('!');
        guard = names.register(predicate.trim_start_matches('!'))?;
        rest = statement.trim();
    }
    let (name, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let action = action(name, &split(operands), names)?;
    Ok(Instruction { guard, expected, action })
}

/// Operands, cut at commas outside braces.
fn split(operands: &str) -> Vec<&str> {
    let mut depth = 0;
    let cut = |c: char| {
        depth += (c == '{') as i32 - (c == '}') as i32;
        c == ',' && depth == 0
    };
    operands.split(cut).map(str::trim).filter(|operand| !operand.is_empty()).collect()
}

fn action(name: &str, operands: &[&str], names: &mut Names) -> Result<Action, String> {
    if let Some(kind) = name.strip_prefix("ld.param.") {
        return parameter(kind, operands, names);
    }
    if let Some(kind) = name.strip_prefix("ld.global.") {
        let ([to, place], access) = (pair(operands)?, access(kind)?);
        let (address, displacement) = address(place, names)?;
        return Ok(Action::Load { to: group(to, access, names)?, address, displacement, access });
    }
    if let Some(kind) = name.strip_prefix("st.global.") {
        let ([place, from], access) = (pair(operands)?, access(kind)?);
        let (address, displacement) = address(place, names)?;
        return Ok(Action::Store { from: group(from, access, names)?, address, displacement, access });
    }
    match (name, operands) {
        ("ret", []) => Ok(Action::Return),
        ("bra" | "bra.uni", [label]) => {
            let target = *names.labels.get(*label).ok_or("the label is not in this kernel")?;
            Ok(Action::Branch { target })
        }
        ("mov.b32" | "mov.b64", [to, from]) if to.starts_with('{') || from.starts_with('{') => halves(name, to, from, names),
        _ => compute(name, operands, names),
    }
}

fn pair<'o>(operands: &[&'o str]) -> Result<[&'o str; 2], String> {
    operands.try_into().map_err(|_| "it takes two operands".to_owned())
}

/// `mov.b64 %rd1, {%r1, %r2}` and its reverse.
fn halves(name: &str, to: &str, from: &str, names: &mut Names) -> Result<Action, String> {
    let half = if name == "mov.b32" { 16 } else { 32 };
    let two = Access { bytes: 0, signed: false, count: 2 };
    if to.starts_with('{') {
        let [low, high, ..] = group(to, two, names)?;
        return Ok(Action::Split { low, high, from: operand(from, names)?, half });
    }
    let join: Compute =
        if half == 16 { |a, b, _, _| a & 0xffff | (b & 0xffff) << 16 } else { |a, b, _, _| a & 0xffff_ffff | b << 32 };
    Ok(Action::Compute { compute: join, to: names.register(to)?, from: group(from, two, names)? })
}

fn parameter(kind: &str, operands: &[&str], names: &Names) -> Result<Action, String> {
    let [to, place] = pair(operands)?;
    let inner = place.trim_matches(['[', ']']);
    let (name, more) = inner.split_once('+').unwrap_or((inner, "0"));
    let (parameter, access) = (names.parameters.get(name).ok_or("there is no such parameter")?, access(kind)?);
    let within = more.parse::<usize>().map_err(|_| "the offset is not a number")?;
    if access.count != 1 || within + access.bytes as usize > parameter.size {
        return Err("it reads more than the parameter".to_owned());
    }
    Ok(Action::Parameter { to: names.register(to)?, offset: (parameter.offset + within) as u32, access })
}

/// `v4.u32`, `s8`.
fn access(kind: &str) -> Result<Access, String> {
    let (count, kind) = match kind.split_once('.') {
        Some(("v2", kind)) => (2, kind),
        Some(("v4", kind)) => (4, kind),
        None => (1, kind),
        _ => return Err("this kind of access is not implemented".to_owned()),
    };
    let bits = bits(kind).ok_or("the type is not known")?;
    Ok(Access { bytes: (bits / 8) as u8, signed: kind.starts_with('s'), count })
}

/// `[%rd1]`, `[%rd1+8]`, `[%rd1+-8]`.
fn address(place: &str, names: &Names) -> Result<(u32, i32), String> {
    let inner = place.strip_prefix('[').and_then(|p| p.strip_suffix(']')).ok_or("the address stands in brackets")?;
    let (register, more) = inner.split_once('+').unwrap_or((inner, "0"));
    Ok((names.register(register)?, more.parse().map_err(|_| "the displacement is not a number")?))
}

/// `{%r1, %r2, %r3, %r4}` or a single operand.
fn group(text: &str, access: Access, names: &mut Names) -> Result<[u32; 4], String> {
    let list = text.trim_matches(['{', '}']);
    let mut slots = [0; 4];
    let mut given = 0;
    for (slot, text) in slots.iter_mut().zip(list.split(',')) {
        *slot = operand(text.trim(), names)?;
        given += 1;
    }
    if given == access.count { Ok(slots) } else { Err("the number of registers does not fit".to_owned()) }
}

fn compute(name: &str, operands: &[&str], names: &mut Names) -> Result<Action, String> {
    let (compute, count) = arithmetic::find(name).ok_or("this instruction is not implemented")?;
    let (to, given) = operands.split_first().ok_or("it has no operands")?;
    if given.len() != count {
        return Err(format!("it takes {count} operands"));
    }
    let mut from = [0; 4];
    for (slot, text) in from.iter_mut().zip(given) {
        *slot = operand(text, names)?;
    }
    Ok(Action::Compute { compute, to: names.register(to)?, from })
}

/// A register, or a constant: decimal, `0x`, or a float by its bits (`0f3F800000`, `0d…`).
fn operand(text: &str, names: &mut Names) -> Result<u32, String> {
    if text.starts_with('%') {
        return names.register(text);
    }
    let hexadecimal = ["0f", "0d", "0x"].iter().find_map(|prefix| text.strip_prefix(prefix));
    let value = match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse::<i128>().ok().map(|value| value as u64),
    };
    Ok(names.constant(text, value.ok_or_else(|| format!("{text} is no operand"))?))
}
