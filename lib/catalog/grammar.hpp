// The grammar of expressions: Python's arithmetic and boolean subset.
// Source: The Python Language Reference, chapter 6 (precedence as in 6.17).
#pragma once

#include <tao/pegtl.hpp>

namespace kwb::grammar {

namespace peg = tao::pegtl;

// Words
struct blanks : peg::star<peg::space> {};
struct word_end : peg::not_at<peg::identifier_other> {};
template <class Spelling>
struct word : peg::seq<Spelling, word_end, blanks> {};
struct spelled_and : TAO_PEGTL_STRING("and") {};
struct spelled_or : TAO_PEGTL_STRING("or") {};
struct spelled_not : TAO_PEGTL_STRING("not") {};
struct spelled_in : TAO_PEGTL_STRING("in") {};
struct reserved : peg::seq<peg::sor<spelled_and, spelled_or, spelled_not, spelled_in>, word_end> {};

// Literals
struct number_end : peg::not_at<peg::sor<peg::identifier_other, peg::one<'.'>>> {};
struct hex_digits : peg::plus<peg::xdigit> {};
struct hexadecimal : peg::if_must<peg::seq<peg::one<'0'>, peg::one<'x', 'X'>>, hex_digits> {};
struct mantissa : peg::sor<peg::seq<peg::plus<peg::digit>, peg::opt<peg::one<'.'>, peg::star<peg::digit>>>,
                           peg::seq<peg::one<'.'>, peg::plus<peg::digit>>> {};
struct exponent : peg::seq<peg::one<'e', 'E'>, peg::opt<peg::one<'+', '-'>>, peg::plus<peg::digit>> {};
struct number
    : peg::seq<peg::sor<hexadecimal, peg::seq<mantissa, peg::opt<exponent>>>, peg::must<number_end>> {};

struct escaped : peg::one<'\\', '\'', '"', 'n', 't'> {};
template <char Quote>
struct letter : peg::sor<peg::if_must<peg::one<'\\'>, escaped>, peg::not_one<Quote, '\\', '\n', '\r'>> {};
template <char Quote>
struct closing_quote : peg::one<Quote> {};
template <char Quote>
struct letters : peg::star<letter<Quote>> {};
template <char Quote>
struct quoted : peg::if_must<peg::one<Quote>, letters<Quote>, closing_quote<Quote>> {};
struct text : peg::sor<quoted<'"'>, quoted<'\''>> {};

// Operators; `*` and `/` must not eat half of `**` and `//`.
struct sign_or : spelled_or {};
struct sign_and : spelled_and {};
struct sign_not : spelled_not {};
struct sign_not_in : peg::seq<spelled_not, word_end, blanks, spelled_in> {};
struct sign_in : spelled_in {};
struct sign_compare : peg::sor<TAO_PEGTL_STRING("<="), TAO_PEGTL_STRING(">="), TAO_PEGTL_STRING("=="),
                               TAO_PEGTL_STRING("!="), peg::one<'<', '>'>> {};
struct sign_sum : peg::one<'+', '-'> {};
struct sign_product : peg::sor<TAO_PEGTL_STRING("//"), peg::one<'/', '%'>,
                               peg::seq<peg::one<'*'>, peg::not_at<peg::one<'*'>>>> {};
struct sign_power : TAO_PEGTL_STRING("**") {};
struct sign_unary : peg::one<'+', '-'> {};

// Operands
struct disjunction;
struct unary;
struct comma : peg::seq<peg::one<','>, blanks> {};
template <char Close>
struct closing : peg::one<Close> {};
template <char Close>
struct items : peg::seq<peg::opt<peg::list_tail<disjunction, comma>>> {};
struct list : peg::if_must<peg::one<'['>, blanks, items<']'>, closing<']'>, blanks> {};
struct parenthesis : peg::if_must<peg::one<'('>, blanks, disjunction, closing<')'>, blanks> {};
struct arguments : peg::if_must<peg::one<'('>, blanks, items<')'>, closing<')'>, blanks> {};
struct name : peg::seq<peg::not_at<reserved>, peg::list<peg::identifier, peg::one<'.'>>> {};
struct reference : peg::seq<name, blanks, peg::opt<arguments>> {};
struct primary : peg::sor<peg::seq<number, blanks>, peg::seq<text, blanks>, list, parenthesis, reference> {};

// Precedence, tightest first
struct power : peg::seq<primary, peg::opt<peg::if_must<sign_power, blanks, unary>>> {};
struct unary : peg::sor<peg::if_must<sign_unary, blanks, unary>, power> {};
struct product : peg::seq<unary, peg::star<peg::if_must<sign_product, blanks, unary>>> {};
struct sum : peg::seq<product, peg::star<peg::if_must<sign_sum, blanks, product>>> {};
struct compare_sign : peg::sor<peg::seq<sign_compare, blanks>, peg::seq<sign_not_in, word_end, blanks>,
                               peg::seq<sign_in, word_end, blanks>> {};
struct comparison : peg::seq<sum, peg::star<peg::if_must<compare_sign, sum>>> {};
struct inversion : peg::sor<peg::if_must<word<sign_not>, inversion>, comparison> {};
struct conjunction : peg::seq<inversion, peg::star<peg::if_must<word<sign_and>, inversion>>> {};
struct disjunction : peg::seq<conjunction, peg::star<peg::if_must<word<sign_or>, conjunction>>> {};

struct end : peg::eof {};
struct expression : peg::must<blanks, disjunction, end> {};

}  // namespace kwb::grammar
